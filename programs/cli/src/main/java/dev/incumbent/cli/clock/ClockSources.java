package dev.incumbent.cli.clock;

import dev.incumbent.supervisor.SupervisorBinary;
import dev.incumbent.supervisor.SupervisorUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Asks who disciplines this machine's clock: chrony where it runs, for it knows more, else the kernel. Each question is bounded. */
public final class ClockSources {
    private static final long LONGEST_MILLIS = 2_000;
    private static final int LONGEST_ANSWER = 4_096;

    private ClockSources() {}

    /** What they tell now; empty where nobody tells anything. */
    public static Optional<ClockError> ask() {
        Optional<ClockError> chrony = answer(List.of("chronyc", "-c", "-n", "tracking"))
                .flatMap(Chrony::parse)
                .filter(ClockError::isSynchronised);
        return chrony.isPresent() ? chrony : supervisor().flatMap(ClockSources::kernel);
    }

    static Optional<ClockError> kernel(Path supervisor) {
        return answer(List.of(supervisor.toString(), "--clock")).flatMap(Kernel::parse);
    }

    private static Optional<Path> supervisor() {
        String known = System.getProperty("incumbent.supervisor", "");
        if (!known.isEmpty() && Files.isExecutable(Path.of(known))) {
            return Optional.of(Path.of(known).toAbsolutePath());
        }
        try {
            return SupervisorBinary.find(SupervisorBinary.defaultFolder());
        } catch (SupervisorUnavailableException e) {
            return Optional.empty();
        }
    }

    /** What a program prints; empty where there is none, or it fails, or takes too long. */
    private static Optional<String> answer(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            if (!process.waitFor(LONGEST_MILLIS, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return Optional.empty();
            }
            byte[] said = process.getInputStream().readNBytes(LONGEST_ANSWER);
            return process.exitValue() == 0 ? Optional.of(new String(said, StandardCharsets.UTF_8)) : Optional.empty();
        } catch (IOException noSuchProgram) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
