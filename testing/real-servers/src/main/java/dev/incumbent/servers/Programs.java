package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Programs that are run to their end. */
final class Programs {
    private Programs() {}

    /** Where the scripts that obtain a program which no package brings keep it. */
    static Path cached(String program) {
        Map<String, String> environment = System.getenv();
        String cache = environment.getOrDefault("XDG_CACHE_HOME", environment.getOrDefault("HOME", "") + "/.cache");
        return Path.of(cache, "incumbent", program);
    }

    /** What one writes, without the last line's end. One that is missing, and one that fails, are told. */
    static String output(List<String> line, Map<String, String> environment) {
        String name = line.get(0);
        try {
            ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            String written = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(name + " failed: " + written);
            }
            return written.strip();
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started (scripts/install-servers installs it)", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(name + " was interrupted", e);
        }
    }
}
