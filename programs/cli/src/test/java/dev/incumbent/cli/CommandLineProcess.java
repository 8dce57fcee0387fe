package dev.incumbent.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * The command line in a process of its own. It is what the tests were compiled with, or, where the properties {@code built.classpath} and
 * {@code built.archive} name it, what {@code ./incumbent} built of the same sources: jars and an archive of their classes, with which a JVM starts in
 * less time. ./test passes them where it has built that before.
 */
public final class CommandLineProcess {
    private CommandLineProcess() {}

    /** Not started yet, and without the variables that would stand for flags. */
    static ProcessBuilder of(String... words) {
        List<String> line = line(List.of());
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().keySet().removeIf(name -> name.startsWith("INCUMBENT_"));
        return builder;
    }

    /** The line that runs it in a JVM with these options besides; the verb and its flags are to follow. */
    public static List<String> line(List<String> options) {
        List<String> line = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m"));
        String archive = System.getProperty("built.archive", "");
        if (!archive.isEmpty()) {
            line.addAll(List.of("-XX:SharedArchiveFile=" + archive, "-Xshare:auto", "-Xlog:disable"));
        }
        line.addAll(options);
        line.addAll(List.of(
                "-cp",
                System.getProperty("built.classpath", System.getProperty("java.class.path")),
                Main.class.getName()));
        return line;
    }
}
