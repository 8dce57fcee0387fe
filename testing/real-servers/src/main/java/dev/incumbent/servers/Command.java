package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** A command that is waited for. */
public final class Command {
    private Command() {}

    /** Runs it, and tells what it printed; where it failed, its words are the failure's. */
    public static String run(List<String> line, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            if (code != 0) {
                throw new IllegalStateException(line.get(0) + " ended with " + code + ": " + printed);
            }
            return printed;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    line.get(0) + " cannot be started (scripts/install-test-tools installs it)", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
