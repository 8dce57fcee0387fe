package dev.incumbent.fence.sql;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The plain {@code sqlite3} command line client: it knows nothing of us. */
final class Sqlite3 {
    private Sqlite3() {}

    /** How it ended: its exit code, and all that it printed. */
    record Ended(int code, String printed) {}

    /** One argument, as an operator types it. */
    static Ended statement(Path file, String sql) {
        return run(List.of(file.toString(), sql), "");
    }

    /** The same, by a client that may not write. */
    static Ended readOnly(Path file, String sql) {
        return run(List.of("-readonly", file.toString(), sql), "");
    }

    /** As {@code 3.40.1}. */
    static String version() {
        return run(List.of("--version"), "").printed().replaceAll("(?s) .*", "");
    }

    /** A script on its standard input, as a cron job sends it: it goes on after an error. */
    static Ended script(Path file, String... lines) {
        return run(List.of(file.toString()), String.join("\n", lines));
    }

    static Ended scriptThatBails(Path file, String... lines) {
        return run(List.of("-bail", file.toString()), String.join("\n", lines));
    }

    private static Ended run(List<String> arguments, String input) {
        List<String> command = new ArrayList<>(List.of("sqlite3"));
        command.addAll(arguments);
        try {
            Process process = started(command);
            try (OutputStream in = process.getOutputStream()) {
                in.write(input.getBytes(StandardCharsets.UTF_8));
            }
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), printed);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private static Process started(List<String> command) {
        try {
            return new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException absent) {
            throw new AssertionError(
                    "sqlite3, the command line client, is not installed; scripts/install-test-tools installs it",
                    absent);
        }
    }
}
