package dev.incumbent.cli;

import java.util.ArrayList;
import java.util.List;

/** The command line in a process of its own. */
final class CommandLineProcess {
    private CommandLineProcess() {}

    /** Not started yet, and without the variables that would stand for flags. */
    static ProcessBuilder of(String... words) {
        List<String> line = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName()));
        line.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(line);
        builder.environment().keySet().removeIf(name -> name.startsWith("INCUMBENT_"));
        return builder;
    }
}
