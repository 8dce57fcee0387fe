package dev.incumbent.fence.file;

import java.nio.file.Path;
import java.time.Duration;

/** A file behind its fence, for those who write it. Immutable; any number of processes have it. */
public final class FencedFile {
    private final GuardedFile file;
    private final Duration bound;

    private FencedFile(GuardedFile file, Duration bound) {
        this.file = file;
        this.bound = bound;
    }

    /** The file of that name, which need not be there yet; its fence must. No write waits longer for its turn than the bound. */
    public static FencedFile at(Path path, Duration bound) {
        return new FencedFile(GuardedFile.at(path), bound);
    }

    /** Begins a write; nothing is locked before its commit. */
    public FileWrite begin() {
        return new FileWrite(file, bound);
    }
}
