package dev.incumbent.cli.run;

import dev.incumbent.supervisor.SupervisorUnavailableException;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Asks a command, again and again, whether this process could do the work. Each question is bounded by the pause between two. */
final class HealthCheck {
    private final Launchpad pad;
    private final String line;
    private final Map<String, String> environment;
    private final Duration pause;

    HealthCheck(Launchpad pad, String line, Map<String, String> environment, Duration pause) {
        this.pad = pad;
        this.line = line;
        this.environment = environment;
        this.pause = pause;
    }

    /** One that cannot be asked at the start is not well. */
    boolean isWell() {
        return ask().orElse(false);
    }

    private Optional<Boolean> ask() {
        return Hook.run(pad, line, environment, pause);
    }

    /** Asks on a thread of its own, which ends with the process, and tells each answer; that nobody could be asked is none. */
    void goOn(Consumer<Boolean> answer) {
        Thread asking = new Thread(() -> askForEver(answer), "incumbent-health");
        asking.setDaemon(true);
        asking.start();
    }

    private void askForEver(Consumer<Boolean> answer) {
        try {
            while (true) {
                SystemTimeline.sleep(pause);
                ask().ifPresent(answer);
            }
        } catch (InterruptedException nobodyAsksAnyMore) {
            Thread.currentThread().interrupt();
        }
    }

    /** A line for the shell that is bounded in time and outside of any term. */
    static final class Hook {
        private Hook() {}

        /** Returns when nothing of it is left; whether it succeeded, or empty where it could not be started, which people are told. */
        static Optional<Boolean> run(Launchpad pad, String line, Map<String, String> environment, Duration bound) {
            try {
                SupervisedProcess process = pad.launchHook(line, environment);
                process.vouchFor(bound);
                SupervisedProcess.End end = process.runToItsEnd(
                        () -> {
                            process.start();
                            return true;
                        },
                        Duration.ZERO);
                return end.isForLack() ? Optional.empty() : Optional.of(end.isSuccess());
            } catch (SupervisorUnavailableException e) {
                pad.tell(e);
                return Optional.empty();
            }
        }
    }
}
