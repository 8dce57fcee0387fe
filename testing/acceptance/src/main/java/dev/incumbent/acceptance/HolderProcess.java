package dev.incumbent.acceptance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A {@link Holder} in a JVM of its own. */
final class HolderProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;
    private final Path errors;

    private HolderProcess(Process process, Path errors) {
        this.process = process;
        this.said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        this.errors = errors;
    }

    static HolderProcess start(Path errors, String uri, List<String> arguments) throws IOException {
        Process process = JavaChild.start(errors.toFile(), Holder.class.getName(), arguments);
        try (OutputStream in = process.getOutputStream()) {
            in.write((uri + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return new HolderProcess(process, errors);
    }

    /** Reads until it says so. */
    void await(String word) throws IOException {
        String line = said.readLine();
        while (line != null && !line.startsWith(word)) {
            line = said.readLine();
        }
        if (line == null) {
            throw new IllegalStateException("it ended before it said '" + word + "':\n" + Files.readString(errors));
        }
    }

    void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
