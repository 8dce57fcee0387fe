package dev.incumbent.health;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Does a command succeed? It is well if it exits with 0. Otherwise the last line of what it wrote says why.
 *
 * <p>It has no input, and the environment and folder of this process. When its time is up it is killed, and with it all processes that it has started and that
 * have not left it: one whose parent has ended, such as a daemon, stays. A check that starts daemons is no check.
 */
public final class CommandCheck implements HealthCheck {
    private static final int LOOK_MILLIS = 20;

    private final List<String> command;

    private CommandCheck(List<String> command) {
        this.command = command;
    }

    /** A program and its arguments; no shell reads them. The name shows the program alone. */
    public static CommandCheck of(String program, String... arguments) {
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        return new CommandCheck(List.copyOf(command));
    }

    @Override
    public String name() {
        return "command " + Path.of(command.get(0)).getFileName();
    }

    @Override
    public Answer ask(long nanos) throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException notStarted) {
            return Answer.sick("cannot be started: " + notStarted.getMessage());
        }
        return answer(process);
    }

    private static Answer answer(Process process) throws IOException, InterruptedException {
        try {
            process.getOutputStream().close();
            Tail tail = new Tail();
            boolean ended;
            do {
                ended = process.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS);
                tail.take(process.getInputStream());
            } while (!ended);
            return answer(process.exitValue(), tail.lastLine());
        } finally {
            kill(process);
        }
    }

    private static Answer answer(int code, String said) {
        String ends = "exits with " + code;
        return code == 0 ? Answer.well(ends) : Answer.sick(said.isEmpty() ? ends : ends + ": " + said);
    }

    /** First those below, which cannot be found any more once their parent has ended. */
    private static void kill(Process process) {
        List<ProcessHandle> below = process.descendants().toList();
        for (int round = 0; !below.isEmpty() && round < Bounds.KILL_ROUNDS; round++) {
            below.forEach(ProcessHandle::destroyForcibly);
            below = process.descendants().filter(ProcessHandle::isAlive).toList();
        }
        process.destroyForcibly();
    }

    /** The last bytes of an output. */
    private static final class Tail {
        private String kept = "";

        /**
         * Takes what is there, and waits for nothing: a process that stays may hold the stream open. The lock is the one by which the JDK keeps readers away while
         * it closes the stream of a process that has ended.
         */
        void take(InputStream output) throws IOException {
            synchronized (output) {
                for (int there = output.available(); there > 0; there = output.available()) {
                    byte[] bytes = output.readNBytes(Math.min(there, Bounds.LONGEST_TAIL));
                    kept += new String(bytes, StandardCharsets.UTF_8);
                    kept = kept.substring(Math.max(0, kept.length() - Bounds.LONGEST_TAIL));
                }
            }
        }

        String lastLine() {
            return kept.lines().filter(line -> !line.isBlank()).reduce("", (former, line) -> line);
        }
    }
}
