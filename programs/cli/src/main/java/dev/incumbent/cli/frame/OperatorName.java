package dev.incumbent.cli.frame;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Who runs a verb, as records and marks remember it. */
public final class OperatorName {
    private static final Path HOST = Path.of("/proc/sys/kernel/hostname");

    private OperatorName() {}

    /** {@code user@host}. */
    public static String of(Surroundings around) {
        String user = around.variable("USER").orElseGet(() -> System.getProperty("user.name", "unknown"));
        return (user + "@" + host(around)).replaceAll("[^!-~]", "_");
    }

    /** This machine's name; asks no name service. */
    public static String host(Surroundings around) {
        try {
            return Files.readString(HOST).strip();
        } catch (IOException elsewhere) {
            return around.variable("HOSTNAME").orElse("localhost");
        }
    }
}
