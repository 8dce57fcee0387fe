package dev.incumbent.junit;

import dev.incumbent.Leadership;
import dev.incumbent.LeadershipLostException;
import dev.incumbent.Validity;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** A term as its task sees it: the library's own answers, between which and the task a fault may fall. */
final class WatchedLeadership implements Leadership {
    private final Leadership shipped;
    private final VirtualTask task;

    WatchedLeadership(Leadership shipped, VirtualTask task) {
        this.shipped = shipped;
        this.task = task;
    }

    @Override
    public boolean holds() {
        boolean holds = shipped.holds();
        checked(holds);
        return holds;
    }

    @Override
    public void check() throws LeadershipLostException {
        shipped.check();
        checked(true);
    }

    @Override
    public Duration remaining() {
        Duration remaining = shipped.remaining();
        checked(!remaining.isZero());
        return remaining;
    }

    private void checked(boolean holds) {
        if (task.isMine()) {
            task.checked(holds);
        } else {
            task.process().world().requireItsThread();
        }
    }

    @Override
    public FencingToken token() {
        return shipped.token();
    }

    @Override
    public Term term() {
        return shipped.term();
    }

    @Override
    public Optional<PastTerm> previousTerm() {
        return shipped.previousTerm();
    }

    @Override
    public boolean inJeopardy() {
        return shipped.inJeopardy();
    }

    @Override
    public void reportStale(StaleTokenException by) {
        shipped.reportStale(by);
    }

    @Override
    public CompletionStage<EndReason> ended() {
        return shipped.ended();
    }

    @Override
    public void onRenewed(Consumer<Validity> listener) {
        shipped.onRenewed(listener);
    }
}
