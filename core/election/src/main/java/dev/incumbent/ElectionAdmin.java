package dev.incumbent;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.HolderConfirmation;
import dev.incumbent.outcome.Progress;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.outcome.Retirement;
import dev.incumbent.outcome.Thaw;
import dev.incumbent.outcome.TransferPlan;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The operator's actions on one election: look, transfer, plan a transfer, resign, freeze, thaw, cordon, and change the set of sinks. The operator need not be a candidate.
 *
 * <p>Thread-safe; no method blocks. A refusal is a value. If the coordinator does not answer, the stage fails with a {@link
 * dev.incumbent.coordinator.CoordinatorException}, which says whether the operation may have applied. Code that you chain to a stage, and the listener for
 * progress, run on threads that neither renew leases nor stop tasks, and may block. The caller closes the coordinator and the sinks after the operation has
 * ended.
 */
public interface ElectionAdmin {
    /** For how long {@link #freeze} and {@link #thaw} ask a sink again that does not answer. */
    Duration RAISE_BOUND = Duration.ofSeconds(30);

    /** The actions of an operator called {@code who}, such as {@code ann@host}. The name is one word; records and marks contain it. */
    static ElectionAdmin over(Coordinator coordinator, Timeline timeline, ElectionName election, String who) {
        return new CoordinatorAdmin(coordinator, timeline, election, who, progress -> {});
    }

    /** The same actions, with a listener that is told the progress of each operation before it ends. */
    ElectionAdmin reporting(Consumer<Progress> listener);

    /** The present record and candidates. */
    CompletionStage<ElectionStatus> status();

    /** The past terms that the record remembers, oldest first. */
    CompletionStage<List<PastTerm>> history();

    /**
     * Asks the leader to hand over to a successor, and waits until somebody leads a later term. The successor is a candidate's id, or a name that only one live
     * candidate has. If the transfer does not happen within the timeout, the request is withdrawn.
     */
    CompletionStage<RequestedTransfer> transferTo(String successor, Duration timeout);

    /**
     * Plans a transfer for later: whoever leads then does it once, no sooner than that time by its own wall clock, and up to an hour later. The plan stands in the record, whoever leads
     * meanwhile; the stage completes once it does. A leader that cannot do it when it is due, since nobody or several are called so, or since its task does not stop, gives it up.
     *
     * @param successor a candidate's id, or a name that only one live candidate has when it is due; nobody need be called so yet
     */
    CompletionStage<TransferPlan> planTransfer(String successor, Instant notBefore);

    /** Takes back what {@link #planTransfer} planned, if it is not done. */
    CompletionStage<TransferPlan> cancelTransfer();

    /** Asks the leader to resign, and waits until its term has ended and, if there is another candidate, until that one leads. */
    CompletionStage<Resignation> resign(Duration timeout);

    /**
     * Stops all leadership: sets the record's freeze flag, raises the sinks so that they admit nothing, and waits as {@code until} says. If the leader does not
     * give up, the wait ends after {@link #RAISE_BOUND} and twice the longest lease of the last terms, and the result names the leader that is left.
     */
    CompletionStage<Freezing> freeze(String why, List<Sink> sinks, Until until);

    /** Ends a freeze: allows leadership again, with tokens above every mark. The caller gives every sink that the record names. */
    CompletionStage<Thaw> thaw(List<Sink> sinks);

    /**
     * Has candidates stand behind all others: those whose host or name that is, or the one whose id it is, also those that come later. A cordon only delays: one of
     * them leads all the same where nobody else can, or where an operator transfers to it, and a leader leads on,
     * unless its program moves to the better ({@link Elections.Builder#movesToBetter}).
     *
     * @param why for people; at most 200 characters, none of them a control character
     */
    CompletionStage<Cordoning> cordon(String whom, String why);

    /** Undoes {@link #cordon} of exactly that host, name or id. */
    CompletionStage<Cordoning> uncordon(String whom);

    /**
     * Confirms that a former leader acts no more, for example because its machine was turned off by hand: the record lists it no more ({@link
     * dev.incumbent.model.LeaderRecord#holders}), and the past term, if the history still has it, tells who said so and why. The next leader then begins without turning it off. Whoever leads
     * under a live lease is not confirmed: resign it, or wait until its lease has run out.
     *
     * @param node where that leader ran, as the record says
     * @param term the term that it claimed
     * @param why for people; at most 200 characters, none of them a control character
     */
    CompletionStage<HolderConfirmation> confirmHolder(String node, long term, String why);

    /** Takes a sink out of the election: candidates that still guard it do not stand, and a freeze need not close it. */
    CompletionStage<Retirement> retireSink(SinkId sink);

    /** Undoes {@link #retireSink}: a candidate that guards the sink may stand, and adds the sink to the record again. */
    CompletionStage<Retirement> reinstateSink(SinkId sink);

    /** What a freeze waits for. */
    enum Until {
        /** The record names no leader. */
        VACANT,
        /** The record names no leader, and no process can still believe that it leads. */
        QUIET
    }
}
