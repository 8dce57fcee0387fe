package dev.incumbent.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A secret in a file: its text, without the white space around it. It is read again when the file changes, so that who renews it restarts nothing. Thread-safe. */
public final class SecretFile {
    private final Path file;
    private final Reread<String> text;

    private SecretFile(Path file) throws IOException {
        this.file = file;
        this.text = new Reread<>(List.of(file), () -> read(file));
    }

    /** Reads it for the first time; fails where it cannot be read, or is empty. */
    public static SecretFile of(Path file) throws IOException {
        return new SecretFile(file);
    }

    private static String read(Path file) throws IOException {
        try {
            return Secret.in("it", Files.readString(file));
        } catch (UriException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** What it says now; while it is empty, or cannot be read, what it said before. */
    public String now() {
        return text.now();
    }

    /** Where it is. */
    @Override
    public String toString() {
        return file.toString();
    }
}
