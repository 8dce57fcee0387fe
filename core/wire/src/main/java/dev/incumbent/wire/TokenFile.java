package dev.incumbent.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One token or two in a file, one a line: while one replaces the other, both are known, and the first is shown. It is read again when the file changes. Thread-safe. */
public final class TokenFile {
    private static final int MOST = 2;

    private final Path file;
    private final Reread<List<String>> tokens;

    private TokenFile(String where, Path file) throws IOException {
        this.file = file;
        this.tokens = new Reread<>(List.of(file), () -> read(where, file));
    }

    /**
     * Reads it for the first time. Its failures repeat nothing of its text.
     *
     * @param where the file, as a failure names it
     * @throws UriException if it holds no token, more than two, or one that no header can carry
     */
    public static TokenFile of(String where, Path file) throws IOException {
        return new TokenFile(where, file);
    }

    private static List<String> read(String where, Path file) throws IOException {
        List<String> lines = Files.readString(file)
                .strip()
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        if (lines.isEmpty()) {
            throw new UriException(where + " is empty");
        }
        if (lines.size() > MOST) {
            throw new UriException(where + " holds " + lines.size() + " lines; it may hold two tokens, one a line");
        }
        return lines.stream().map(line -> Secret.in(where, line)).toList();
    }

    /** What it holds now, one at least; while it holds none, or cannot be read, what it held before. */
    public List<String> now() {
        return tokens.now();
    }

    /** Where it is. */
    @Override
    public String toString() {
        return file.toString();
    }
}
