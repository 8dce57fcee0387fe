package dev.incumbent.servers;

import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Other languages than Java, each with a driver for PostgreSQL. */
public final class Languages {
    private static final String INSTALLED_BY = "; scripts/install-languages installs it";
    private static final Path DEBIANS_NODE = Path.of("/usr/share/nodejs");
    private static final String DEBIANS_GO = "/usr/share/gocode";

    private Languages() {}

    /** A Python that has psycopg2: Debian's package of it serves Debian's own Python alone. */
    public static String python() {
        return Stream.of("python3", "/usr/bin/python3")
                .filter(python -> runs(List.of(python, "-c", "import psycopg2")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no Python has psycopg2" + INSTALLED_BY));
    }

    /** The folder of Node's packages, pg among them. */
    public static Path nodeModules() {
        return Stream.of(Programs.cached("node").resolve("node_modules"), DEBIANS_NODE)
                .filter(modules -> Files.exists(modules.resolve("pg")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Node's package pg is missing" + INSTALLED_BY));
    }

    /** Builds a program of one file, which may use {@code lib/pq}. */
    public static void buildGo(Path source, Path program) {
        Programs.output(
                List.of("go", "build", "-o", program.toString(), source.toString()),
                Map.of("GOPATH", DEBIANS_GO, "GO111MODULE", "off", "GOFLAGS", ""));
    }

    private static boolean runs(List<String> line) {
        try {
            Programs.output(line, Map.of());
            return true;
        } catch (IllegalStateException | UncheckedIOException refused) {
            return false;
        }
    }
}
