package dev.incumbent.protocol.operator;

import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.SinkId;
import java.util.List;
import java.util.Optional;

/** What has happened to an operation. */
public sealed interface OperatorEvent {
    /** The operation was started; the first event of each. */
    record Begun() implements OperatorEvent {}

    /** The instant has come that the last step asked to be woken at. */
    record TimePassed() implements OperatorEvent {}

    /** The answer of the coordinator to one question; an answer to any but the last is ignored. */
    sealed interface Answer extends OperatorEvent {
        /** Which question this answers; for a swap, its nonce. */
        String question();
    }

    /** The record, read after the question left. */
    record RecordRead(String question, ObservedRecord observed) implements Answer {}

    /** Who is enlisted, in order. */
    record CandidatesRead(String question, List<Enlisted> candidates) implements Answer {
        public CandidatesRead {
            candidates = List.copyOf(candidates);
        }
    }

    /** A read that gave nothing, or a swap that surely did not apply; it may be asked again. */
    record Unanswered(String question, String why) implements Answer {}

    /** The record is of a foreign or later format, or the coordinator cannot be used: asking again does not help. */
    record Unusable(String question, String why) implements Answer {}

    /** The swap applied. */
    record SwapAccepted(String question) implements Answer {}

    /** Another revision was found; an earlier sending may have won all the same. */
    record SwapRefused(String question) implements Answer {}

    /** The swap may have applied, or may yet. */
    record SwapUncertain(String question, String why) implements Answer {}

    /** The watch told a record. It may be older than what was read since: a hint, which decides nothing. */
    record RecordWatched(ObservedRecord observed) implements OperatorEvent {}

    /** The watch may have missed something. */
    record WatchBroken() implements OperatorEvent {}

    /** An answer of one sink, by its place among those given. */
    sealed interface OfSink extends OperatorEvent {
        int sink();
    }

    /** A sink told its id, and its mark where it has one. */
    record MarkRead(int sink, SinkId id, Optional<Mark> mark) implements OfSink {}

    /** A sink did not tell. */
    record MarkUnread(int sink, String why) implements OfSink {}

    /** A mark is in force. */
    record MarkRaised(int sink, Mark mark) implements OfSink {}

    /** Another mark stands in the way. */
    record RaiseRefused(int sink, Mark asked, Mark inForce) implements OfSink {}

    /** It would have lifted the mark too far. */
    record RaiseTooFar(int sink, Mark asked, long from) implements OfSink {}

    /** No answer to a raise: it may have applied, or may yet. */
    record RaiseUncertain(int sink, Mark asked, String why) implements OfSink {}
}
