package dev.incumbent.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What some files say, read again when one of them has changed. What cannot be read then, as while a file is being replaced, leaves what was read before. Thread-safe.
 */
final class Reread<T> {
    private final List<Path> files;
    private final Reading<T, ?> reading;
    private List<Stamp> stamps;
    private T value;

    /** Reads files; may fail. */
    interface Reading<T, E extends Exception> {
        T read() throws IOException, E;
    }

    /** What tells that a file is another than before. */
    private record Stamp(long modifiedNanos, long size, String key) {
        static Stamp of(Path file) throws IOException {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return new Stamp(
                    attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS),
                    attributes.size(),
                    Objects.toString(attributes.fileKey()));
        }
    }

    /** Reads them for the first time, and fails where they cannot be read. */
    <E extends Exception> Reread(List<Path> files, Reading<T, E> reading) throws IOException, E {
        this.files = List.copyOf(files);
        this.reading = reading;
        this.stamps = stamps();
        this.value = reading.read();
    }

    /** What they say now. Looks at each file, and reads them only where one has changed. */
    synchronized T now() {
        try {
            List<Stamp> seen = stamps();
            if (!seen.equals(stamps)) {
                value = reading.read();
                stamps = seen;
            }
        } catch (Exception beingReplaced) {
            return value;
        }
        return value;
    }

    private List<Stamp> stamps() throws IOException {
        List<Stamp> seen = new ArrayList<>();
        for (Path file : files) {
            seen.add(Stamp.of(file));
        }
        return seen;
    }
}
