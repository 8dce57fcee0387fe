package dev.incumbent.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** What a benchmark prints, and how busy the machine was meanwhile. */
public final class Output {
    private Output() {}

    /** The machine's load of the last minute. */
    public static String load() {
        try {
            return Files.readString(Path.of("/proc/loadavg")).split(" ", 2)[0];
        } catch (IOException noSuchKernel) {
            return "unknown";
        }
    }

    public static void print(String format, Object... values) {
        System.out.println(String.format(Locale.ROOT, format, values));
    }
}
