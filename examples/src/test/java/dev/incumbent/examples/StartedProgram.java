package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A program of these examples in a process of its own, as a reader starts it: it is ended by Enter. Not thread-safe. */
final class StartedProgram implements AutoCloseable {
    private final Process process;
    private final BufferedReader told;

    private StartedProgram(Process process) {
        this.process = process;
        this.told = process.inputReader();
    }

    static StartedProgram of(Class<?> program, Path folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
        command.addAll(List.of(arguments));
        return new StartedProgram(new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    void awaitLine(String start) throws IOException {
        for (String line = told.readLine(); ; line = told.readLine()) {
            assertThat(line).as("before '" + start + "'").isNotNull();
            if (line.startsWith(start)) {
                return;
            }
        }
    }

    void pressEnter() throws IOException {
        process.outputWriter().append('\n').close();
    }

    int awaitEnd() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
