package dev.incumbent.acceptance;

import dev.incumbent.servers.DynamoDbServer;
import dev.incumbent.servers.Place;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A JVM on this one's class path, with a small heap and a quick start. */
final class JavaChild {
    private JavaChild() {}

    static Process start(File errors, String mainClass, List<String> arguments) throws IOException {
        return startIn(Place.LOOPBACK, errors, mainClass, arguments);
    }

    static Process startIn(Place place, File errors, String mainClass, List<String> arguments) throws IOException {
        List<String> line = new ArrayList<>(place.launcher());
        line.addAll(List.of("setpriv", "--pdeathsig", "KILL", "--"));
        line.addAll(command(mainClass));
        line.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.appendTo(errors));
        builder.environment().putAll(DynamoDbServer.CREDENTIALS);
        return builder.start();
    }

    /** Hands over each line that it says, until it ends or is killed. */
    static void lines(BufferedReader out, Consumer<String> line) {
        try {
            out.lines().forEach(line);
        } catch (UncheckedIOException killed) {
            // It says nothing more.
        }
    }

    static List<String> command(String mainClass) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass);
    }
}
