package dev.incumbent.health;

import dev.incumbent.Candidacy;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Asks checks again and again, and tells candidacies whether this process can do the work. While one check is sick, this process neither leads nor stands: its
 * term ends as unhealthy once its task has stopped, and it stands again when every check is well.
 *
 * <pre>{@code
 * HealthMonitor monitor = HealthMonitor.asking(FreeDisk.atLeastPercent(data, 5), HeapInUse.atMost(90))
 *         .asking(Rhythm.every(ofSeconds(1)).after(2, 3), HttpProbe.of(probe))
 *         .start();
 * Candidacy candidacy = monitor.govern(election.campaign(task));
 * }</pre>
 *
 * <p>Each check has a daemon thread of its own, which renews no lease: a check that hangs delays no renewal and no other check. Thread-safe.
 */
public final class HealthMonitor implements AutoCloseable {
    /** The name of the logger that is told when a check becomes sick, and when it is well again. */
    public static final String LOGGER = "dev.incumbent.health";

    private final List<Asking> askings = new ArrayList<>();
    private final Verdict verdict;
    private final Telling telling;
    private final Optional<SystemTimeline> owned;

    private HealthMonitor(Builder settings, Function<String, CheckThread> threads) {
        owned = settings.timeline.isPresent()
                ? Optional.empty()
                : Optional.of(new SystemTimeline("incumbent-health-alarms"));
        Timeline timeline = settings.timeline.or(() -> owned).orElseThrow();
        telling = new Telling(settings.everyListener());
        verdict = new Verdict(settings.checks, settings.rhythms, telling);
        for (int i = 0; i < settings.checks.size(); i++) {
            int number = i;
            HealthCheck check = settings.checks.get(i);
            CheckThread thread = threads.apply("incumbent-health-" + check.name());
            askings.add(new Asking(
                    check, settings.rhythms.get(i), timeline, thread, answer -> verdict.answered(number, answer)));
        }
    }

    /** A monitor of these checks, in the standard rhythm. */
    public static Builder asking(HealthCheck... checks) {
        return asking(Rhythm.STANDARD, checks);
    }

    /** A monitor of these checks, in that rhythm. */
    public static Builder asking(Rhythm rhythm, HealthCheck... checks) {
        return new Builder().asking(rhythm, checks);
    }

    /**
     * Tells this candidacy whether this process is well, now and on each change, until {@link #release}. Where a check was not asked yet, it is not.
     *
     * @return the candidacy
     */
    public Candidacy govern(Candidacy candidacy) {
        verdict.govern(candidacy);
        return candidacy;
    }

    /** Tells this candidacy nothing more. It keeps what it was told last. */
    public void release(Candidacy candidacy) {
        verdict.release(candidacy);
    }

    /** Is every check well? */
    public boolean isWell() {
        return verdict.isWell();
    }

    /** What is believed of each check, in the order in which the checks were given. */
    public List<Condition> conditions() {
        return verdict.conditions();
    }

    /** Waits until each check was asked once, and has answered or is late: no longer than an answer may take. */
    public void awaitAnswers() throws InterruptedException {
        verdict.awaitAnswers();
    }

    private HealthMonitor started() {
        askings.forEach(Asking::ask);
        return this;
    }

    /** Asks no more, and interrupts checks that are being asked. Candidacies keep what they were told last. May be called twice. */
    @Override
    public void close() {
        askings.forEach(Asking::close);
        verdict.close();
        telling.close();
        owned.ifPresent(SystemTimeline::close);
    }

    /** What is asked, and who is told. */
    public static final class Builder {
        private final List<HealthCheck> checks = new ArrayList<>();
        private final List<Rhythm> rhythms = new ArrayList<>();
        private final List<HealthListener> listeners = new ArrayList<>();
        private Optional<Timeline> timeline = Optional.empty();
        private boolean isQuiet;

        private Builder() {}

        /** Asks these, too, in that rhythm. */
        public Builder asking(Rhythm rhythm, HealthCheck... more) {
            for (HealthCheck check : more) {
                checks.add(check);
                rhythms.add(rhythm);
            }
            return this;
        }

        /** Adds a listener, which is called after the log and in the order in which they were added. */
        public Builder listener(HealthListener hears) {
            listeners.add(hears);
            return this;
        }

        /** Turns off the log, which otherwise goes to the {@link System.Logger} {@value HealthMonitor#LOGGER}. Listeners are still called. */
        public Builder quiet() {
            isQuiet = true;
            return this;
        }

        /** The clock and its alarms, for tests that move the time. By default they are the system's. */
        public Builder timeline(Timeline clocks) {
            timeline = Optional.of(clocks);
            return this;
        }

        /** Asks each check for the first time, without waiting for an answer. */
        public HealthMonitor start() {
            return start(CheckThread::named);
        }

        HealthMonitor start(Function<String, CheckThread> threads) {
            if (checks.isEmpty() || checks.size() > Bounds.MOST_CHECKS) {
                throw new IllegalArgumentException(
                        "a monitor has 1 to " + Bounds.MOST_CHECKS + " checks, this one has " + checks.size());
            }
            return new HealthMonitor(this, threads).started();
        }

        private List<HealthListener> everyListener() {
            List<HealthListener> all = new ArrayList<>(listeners);
            if (!isQuiet) {
                all.add(0, new HealthLog(System.getLogger(LOGGER)));
            }
            return all;
        }
    }
}
