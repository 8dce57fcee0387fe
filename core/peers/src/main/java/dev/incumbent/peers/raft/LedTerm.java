package dev.incumbent.peers.raft;

import dev.incumbent.model.Sorted;
import dev.incumbent.peers.MemberId;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The term that a member was elected for; kept until its task has stopped, also where the member leads no more.
 *
 * @param task where the leader's task stands
 * @param answered by whom, and when the newest heartbeat that it answered was sent
 * @param leaseEndsAtNanos on this member's clock; before the task begins, until when a majority must have answered
 * @param successor who stands once the task has stopped
 */
public record LedTerm(
        long term, Task task, Map<MemberId, Long> answered, long leaseEndsAtNanos, Optional<MemberId> successor) {
    /** Where the leader's task stands. */
    public enum Task {
        /** No majority has answered yet. */
        WAITS,
        /** It was told to begin. */
        RUNS,
        /** It was told to stop, and has not said that it did. */
        STOPS
    }

    public LedTerm {
        answered = Sorted.copyOf(answered);
    }

    static LedTerm elected(long term, long answersUntil) {
        return new LedTerm(term, Task.WAITS, Map.of(), answersUntil, Optional.empty());
    }

    LedTerm stopping(Optional<MemberId> nextSuccessor) {
        return new LedTerm(term, Task.STOPS, answered, leaseEndsAtNanos, nextSuccessor);
    }

    /**
     * That member has answered the heartbeat that was sent then. The lease counts from the newest heartbeat that a majority, this member included, has answered.
     *
     * @param needed how many others make a majority with this member
     */
    LedTerm withAnswer(MemberId by, long sentAt, int needed, long validFor) {
        Map<MemberId, Long> all = new TreeMap<>(answered);
        all.merge(by, sentAt, Math::max);
        if (all.size() < needed) {
            return new LedTerm(term, task, all, leaseEndsAtNanos, successor);
        }
        long counted = all.values().stream()
                .sorted(Comparator.reverseOrder())
                .skip(needed - 1L)
                .findFirst()
                .orElseThrow();
        return new LedTerm(
                term,
                task == Task.WAITS ? Task.RUNS : task,
                all,
                Math.max(leaseEndsAtNanos, counted + validFor),
                successor);
    }
}
