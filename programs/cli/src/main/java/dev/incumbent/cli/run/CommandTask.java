package dev.incumbent.cli.run;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.supervisor.SupervisorUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** What a leader does here: the hook, then the command, each under a supervisor; it returns when nothing of either is left, and the term has lasted long enough. */
final class CommandTask implements LeaderTask {
    private final Plan plan;
    private final Launchpad pad;
    private final Stage stage;
    private final Bulletin bulletin;
    private final Consumer<TermEnd> ended;

    /** {@code ended} hears the end of each term, before the task returns. */
    CommandTask(Plan plan, Launchpad pad, Stage stage, Bulletin bulletin, Consumer<TermEnd> ended) {
        this.plan = plan;
        this.pad = pad;
        this.stage = stage;
        this.bulletin = bulletin;
        this.ended = ended;
    }

    @Override
    public void lead(Leadership leadership) {
        if (!stage.begin()) {
            return;
        }
        long begun = pad.timeline().nanos();
        TermEnd end = TermEnd.unstarted(leadership, ExitCodes.INTERNAL, "internal");
        try {
            end = held(hookThenCommand(leadership), begun);
        } finally {
            stage.end(!end.isWorthAnotherTry() || !plan.repeat() || stage.isTerminated());
            ended.accept(end);
        }
    }

    private TermEnd hookThenCommand(Leadership leadership) {
        try {
            Optional<TermEnd> refused = plan.hooks().onAcquire().isPresent()
                    ? acquire(leadership, plan.hooks().onAcquire().get())
                    : Optional.empty();
            return refused.isPresent() ? refused.get() : command(leadership);
        } catch (SupervisorUnavailableException e) {
            if (Thread.interrupted()) {
                return TermEnd.lostBeforeStart(leadership);
            }
            pad.tell(e);
            return TermEnd.lacking(leadership, ExitCodes.CONFIGURATION, "no-supervisor");
        }
    }

    private Optional<TermEnd> acquire(Leadership leadership, String line) throws SupervisorUnavailableException {
        SupervisedProcess hook = pad.launchHook(line, pad.environment(leadership));
        hook.vouchBy(leadership);
        var bound =
                pad.timeline().at(pad.timeline().nanos() + plan.timing().lease().toNanos(), hook::kill);
        SupervisedProcess.End end = hook.runToItsEnd(() -> stage.startHook(hook), budget());
        bound.cancel();
        boolean isRevoked = end.interrupted() && end.isSuccess(); // while what the hook left behind was ended
        if (isRevoked || end.isLeadershipEnded()) {
            return Optional.of(TermEnd.lostBeforeStart(leadership));
        }
        return end.isSuccess()
                ? Optional.empty()
                : Optional.of(TermEnd.unstarted(leadership, plan.conflictCode(), "on-acquire-failed"));
    }

    private TermEnd command(Leadership leadership) throws SupervisorUnavailableException {
        SupervisedProcess command = pad.launchCommand(leadership);
        command.vouchBy(leadership);
        return TermEnd.of(leadership, command.runToItsEnd(() -> stage.startCommand(command), budget()));
    }

    /** Leads on where the command has run and ended early. One that was not started may be started elsewhere. */
    private TermEnd held(TermEnd end, long begun) {
        Hold hold = new Hold(pad.timeline(), begun, plan.holdAtLeast());
        Duration left = hold.left();
        if (!end.hasRun() || left.isNegative() || left.isZero()) {
            return end;
        }
        if (end.isRevoked()) {
            return end.cutShort();
        }
        bulletin.holds(left);
        stage.hold(end.ending());
        return hold.await() ? end : end.cutShort();
    }

    private Duration budget() {
        return plan.timing().stopBudget();
    }
}
