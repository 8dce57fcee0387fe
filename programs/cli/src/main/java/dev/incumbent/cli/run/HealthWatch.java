package dev.incumbent.cli.run;

import dev.incumbent.Candidacy;
import dev.incumbent.health.Answer;
import dev.incumbent.health.HealthCheck;
import dev.incumbent.health.HealthListener;
import dev.incumbent.health.HealthMonitor;
import dev.incumbent.health.Rhythm;
import java.util.Map;

/** Asks whether this process can do the work, on threads of its own; the candidacy and people are told. */
final class HealthWatch implements AutoCloseable {
    private final HealthMonitor monitor;

    private HealthWatch(HealthMonitor monitor) {
        this.monitor = monitor;
    }

    /** Waits until each question was asked once: one that cannot be asked then is not well. */
    static HealthWatch begin(HealthPlan plan, Launchpad pad, Map<String, String> environment, Bulletin bulletin)
            throws InterruptedException {
        Rhythm rhythm = Rhythm.every(plan.every()).within(plan.within()).after(plan.after());
        HealthMonitor.Builder builder =
                HealthMonitor.asking(rhythm, plan.checks().toArray(new HealthCheck[0]));
        plan.command()
                .map(line -> new Command(pad, line, environment, plan))
                // The supervisor ends it in time; what starts the supervisor takes time, too.
                .ifPresent(command -> builder.asking(rhythm.within(plan.every().multipliedBy(2)), command));
        HealthMonitor monitor = builder.listener(new Changes(bulletin)).quiet().start();
        monitor.awaitAnswers();
        return new HealthWatch(monitor);
    }

    void govern(Candidacy candidacy) {
        monitor.govern(candidacy);
    }

    @Override
    public void close() {
        monitor.close();
    }

    /** A line for the shell. Where it cannot be started, its last answer still counts. */
    private static final class Command implements HealthCheck {
        private final Launchpad pad;
        private final String line;
        private final Map<String, String> environment;
        private final HealthPlan plan;
        private Answer last = Answer.sick("cannot be started");

        Command(Launchpad pad, String line, Map<String, String> environment, HealthPlan plan) {
            this.pad = pad;
            this.line = line;
            this.environment = environment;
            this.plan = plan;
        }

        @Override
        public String name() {
            return "the health command";
        }

        @Override
        public Answer ask(long nanos) {
            Hook.run(pad, line, environment, plan.every())
                    .ifPresent(isWell -> last = isWell ? Answer.well("succeeds") : Answer.sick("fails"));
            return last;
        }
    }

    /** Tells people that it is sick, and that it is so no longer. Called by one thread at a time. */
    private static final class Changes implements HealthListener {
        private final Bulletin bulletin;
        private boolean isSick;

        Changes(Bulletin bulletin) {
            this.bulletin = bulletin;
        }

        @Override
        public void onSick(String why) {
            isSick = true;
            bulletin.sick(why);
        }

        @Override
        public void onWell() {
            if (isSick) {
                isSick = false;
                bulletin.aside("");
            }
        }
    }
}
