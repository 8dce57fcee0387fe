package dev.incumbent.internal;

import dev.incumbent.ElectionListener;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Several listeners as one: each hears what the others hear, in their order, also where one before it throws. */
public record Listeners(List<ElectionListener> all) implements ElectionListener {
    @Override
    public void onStanding(ElectionName election) {
        each(one -> one.onStanding(election));
    }

    @Override
    public void onLeft(ElectionName election) {
        each(one -> one.onLeft(election));
    }

    @Override
    public void onGranted(Term term) {
        each(one -> one.onGranted(term));
    }

    @Override
    public void onRevoked(Term term, EndReason reason) {
        each(one -> one.onRevoked(term, reason));
    }

    @Override
    public void onJeopardy(Term term) {
        each(one -> one.onJeopardy(term));
    }

    @Override
    public void onSafe(Term term) {
        each(one -> one.onSafe(term));
    }

    @Override
    public void onTransferDeclined(Term term, String successor, String why) {
        each(one -> one.onTransferDeclined(term, successor, why));
    }

    @Override
    public void onFailed(Term term, Throwable thrown) {
        each(one -> one.onFailed(term, thrown));
    }

    @Override
    public void onTrouble(ElectionName election, String what) {
        each(one -> one.onTrouble(election, what));
    }

    @Override
    public void onTroubleOver(ElectionName election, String what) {
        each(one -> one.onTroubleOver(election, what));
    }

    @Override
    public void onMarkMet(ElectionName election, long term, SinkId sink, Mark met) {
        each(one -> one.onMarkMet(election, term, sink, met));
    }

    @Override
    public void onUnreachable(String why) {
        each(one -> one.onUnreachable(why));
    }

    @Override
    public void onReachable(Duration after) {
        each(one -> one.onReachable(after));
    }

    @Override
    public void onHeard(CandidateId leader) {
        each(one -> one.onHeard(leader));
    }

    @Override
    public void onSuspected(CandidateId leader, String why) {
        each(one -> one.onSuspected(leader, why));
    }

    @Override
    public void onMistaken(CandidateId leader, int patience) {
        each(one -> one.onMistaken(leader, patience));
    }

    /** What the first of them threw is thrown at the end. */
    private void each(Consumer<ElectionListener> call) {
        RuntimeException thrown = null;
        for (ElectionListener one : all) {
            try {
                call.accept(one);
            } catch (RuntimeException e) {
                thrown = thrown == null ? e : thrown;
            }
        }
        if (thrown != null) {
            throw thrown;
        }
    }
}
