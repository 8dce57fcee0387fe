package dev.incumbent;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.Progress;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.outcome.Retirement;
import dev.incumbent.outcome.Thaw;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * Someone who looks after one election and does not stand in it.
 *
 * <p>Thread-safe; nothing blocks. A refusal is a value; a coordinator that does not answer is a {@link
 * dev.incumbent.coordinator.CoordinatorException} that says whether the operation may have applied. What depends on a stage, and who is told
 * the progress, runs on threads that renew and stop nothing, and may block. The coordinator and the sinks stay the caller's to close, after the operation has ended.
 */
public interface ElectionAdmin {
    /** How long sinks that do not answer are asked again. */
    Duration RAISE_BOUND = Duration.ofSeconds(30);

    /** An operator called {@code who}, such as {@code ann@host}; a word, which stands in records and marks. */
    static ElectionAdmin over(Coordinator coordinator, Timeline timeline, ElectionName election, String who) {
        return new CoordinatorAdmin(coordinator, timeline, election, who, progress -> {});
    }

    /** The same operator, who tells how far each operation is, before it ends. */
    ElectionAdmin reporting(Consumer<Progress> listener);

    /** The record as it is now, and who stands. */
    CompletionStage<ElectionStatus> status();

    /** The past terms that the record remembers, oldest first. */
    CompletionStage<List<PastTerm>> history();

    /**
     * Asks the leader to hand over, by id or by a name that one live candidate alone bears, and waits until a later term is led. What does not happen within
     * the timeout is taken back.
     */
    CompletionStage<RequestedTransfer> transferTo(String successor, Duration timeout);

    /** Asks the leader to resign, and waits until its term is over and, where anybody stands, the next is led. */
    CompletionStage<Resignation> resign(Duration timeout);

    /** Stops all leadership: sets the flag, closes the sinks, and waits until nobody leads on record, or longer. */
    CompletionStage<Freezing> freeze(String why, List<Sink> sinks, Until until);

    /** Allows leadership again, above every mark. Every sink that the record names is to be given. */
    CompletionStage<Thaw> thaw(List<Sink> sinks);

    /** Retires a sink: candidates that still bring it do not stand. */
    CompletionStage<Retirement> retireSink(SinkId sink);

    /** Takes that back: who brings the sink may stand, and adds it to the record again. */
    CompletionStage<Retirement> reinstateSink(SinkId sink);

    /** What a freeze waits for. */
    enum Until {
        /** Nobody leads on record. */
        VACANT,
        /** Nor can anybody believe to lead. */
        QUIET
    }
}
