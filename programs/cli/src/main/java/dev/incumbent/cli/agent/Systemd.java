package dev.incumbent.cli.agent;

import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Tells systemd when a service is ready, that it lives, and when it ends, by its command {@code systemd-notify}: a JVM has no datagram sockets of the kind that
 * systemd listens on. Does nothing where systemd did not start this process.
 */
final class Systemd implements AutoCloseable {
    private static final String COMMAND = "systemd-notify";
    private static final String OWN_PID = Long.toString(ProcessHandle.current().pid());
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** A sign of life comes so often within the time after which systemd kills. */
    private static final int SIGNS = 3;

    private final boolean listens;
    private final Optional<Duration> watchdog;
    private final Consumer<List<String>> tells;
    private final AtomicBoolean ends = new AtomicBoolean();
    private volatile Optional<Thread> watcher = Optional.empty();

    /** What is to be told is handed to that. */
    Systemd(Map<String, String> variables, Consumer<List<String>> tells) {
        this.listens = variables.containsKey("NOTIFY_SOCKET");
        this.watchdog = Optional.ofNullable(variables.get("WATCHDOG_USEC"))
                .filter(usec -> OWN_PID.equals(variables.getOrDefault("WATCHDOG_PID", OWN_PID)))
                .map(usec -> Duration.of(Long.parseLong(usec), ChronoUnit.MICROS));
        this.tells = tells;
    }

    /** The systemd of this host. */
    static Systemd of(Surroundings around) {
        return new Systemd(around.variables(), words -> run(around, words));
    }

    /** It serves. From now on it is asked whether it lives; while it does not say so, systemd hears nothing, and kills it in the end. */
    void ready(String status, Predicate<Duration> lives) {
        tell("--ready", "--status=" + status);
        if (listens && watchdog.isPresent()) {
            Thread thread = new Thread(() -> watch(watchdog.get().dividedBy(SIGNS), lives), "incumbent-watchdog");
            thread.setDaemon(true);
            watcher = Optional.of(thread);
            thread.start();
        }
    }

    private void watch(Duration each, Predicate<Duration> lives) {
        try {
            while (true) {
                if (lives.test(each)) {
                    tell("WATCHDOG=1");
                }
                SystemTimeline.sleep(each);
            }
        } catch (InterruptedException end) {
            // The service ends.
        }
    }

    private void tell(String... words) {
        if (listens) {
            tells.accept(List.of(words));
        }
    }

    private static void run(Surroundings around, List<String> words) {
        List<String> command = new ArrayList<>(List.of(COMMAND));
        command.addAll(words);
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            boolean ended = process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            process.destroyForcibly();
            if (ended && process.exitValue() == 0) {
                return;
            }
            around.say("systemd was not told " + words + ": " + COMMAND
                    + (ended ? " ended with " + process.exitValue() : " did not end"));
        } catch (IOException missing) {
            around.say("systemd was not told " + words + ": " + missing.getMessage());
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** It begins to end. Told once. */
    @Override
    public void close() {
        if (!ends.compareAndSet(false, true)) {
            return;
        }
        watcher.ifPresent(Thread::interrupt);
        tell("STOPPING=1"); // --stopping came with systemd 253
    }
}
