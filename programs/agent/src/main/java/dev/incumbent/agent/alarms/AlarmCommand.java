package dev.incumbent.agent.alarms;

import dev.incumbent.telling.command.BoundedCommand;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a line of {@code sh} for each alarm, and when it is over: the alarm as JSON on its standard input, and {@code INCUMBENT_ALARM_*} in its environment. No
 * other variable of {@code INCUMBENT_*} passes on; what it writes goes to standard error.
 *
 * <p>One runs at a time, for {@link #LONGEST} at most, then it is killed, and what it has started and that has not left it; {@link #MOST_WAITING} wait. Thread-safe; no call but {@link #close} blocks.
 */
public final class AlarmCommand implements AlarmListener, AutoCloseable {
    /** How long one runs. */
    public static final Duration LONGEST = Duration.ofSeconds(10);
    /** Alarms that wait for it; what comes above is dropped, and said. */
    public static final int MOST_WAITING = 100;

    private static final String ALL_TO_ERRORS = "exec 1>&2\n";

    private final String line;
    private final Duration longest;
    private final Consumer<String> says;
    private final ThreadPoolExecutor thread;

    /**
     * Nothing runs yet.
     *
     * @param line for {@code sh -c}
     * @param says hears why one did not succeed, one sentence each
     */
    public AlarmCommand(String line, Consumer<String> says) {
        this(line, LONGEST, says);
    }

    AlarmCommand(String line, Duration longest, Consumer<String> says) {
        this.line = line;
        this.longest = longest;
        this.says = says;
        this.thread =
                new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MOST_WAITING), work -> {
                    Thread one = new Thread(work, "incumbent-alarm-command");
                    one.setDaemon(true);
                    return one;
                });
    }

    @Override
    public void onAlarm(ConflictAlarm alarm) {
        try {
            thread.execute(() -> run(alarm));
        } catch (RejectedExecutionException full) {
            String why = thread.isShutdown() ? "the agent ends" : MOST_WAITING + " alarms wait for it";
            says.accept("--on-alarm does not run for " + named(alarm) + ": " + why);
        }
    }

    private static String named(ConflictAlarm alarm) {
        return alarm.conflict().kind().word() + " of " + alarm.conflict().election();
    }

    private void run(ConflictAlarm alarm) {
        BoundedCommand command = new BoundedCommand(
                List.of("sh", "-c", ALL_TO_ERRORS + line), variables(alarm), alarm.json() + "\n", Optional.empty());
        try {
            OptionalInt code = command.run(longest);
            if (code.isEmpty()) {
                says.accept(
                        "--on-alarm ran for " + longest.toMillis() + " ms for " + named(alarm) + ", and was killed");
            } else if (code.getAsInt() != 0) {
                says.accept("--on-alarm ended with " + code.getAsInt() + " for " + named(alarm));
            }
        } catch (IOException | RuntimeException failed) {
            says.accept("--on-alarm failed for " + named(alarm) + ": " + failed.getMessage());
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** What the environment tells of an alarm. */
    static Map<String, String> variables(ConflictAlarm alarm) {
        Map<String, String> told = new TreeMap<>();
        told.put("INCUMBENT_ALARM_KIND", alarm.conflict().kind().word());
        told.put("INCUMBENT_ALARM_ELECTION", alarm.conflict().election().value());
        told.put("INCUMBENT_ALARM_STATE", alarm.isOpen() ? "raised" : "over");
        told.put("INCUMBENT_ALARM_SENTENCE", alarm.conflict().sentence());
        told.put("INCUMBENT_ALARM_SINCE", alarm.since().toString());
        return told;
    }

    /** Kills the one that runs, and forgets those that wait. Blocks for a moment. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            var unused = thread.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
