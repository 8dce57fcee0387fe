package dev.incumbent.protocol.operator;

import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.Optional;

/**
 * A freeze under way.
 *
 * @param tried the record as it was last sent, until that swap is settled
 * @param flag what holds since the flag is set
 */
record FreezeState(Talk talk, Aim aim, GivenSinks sinks, Optional<LeaderRecord> tried, Optional<Flag> flag)
        implements OperatorState {

    /** What is asked for. */
    record Aim(String why, Duration closeWithin, boolean untilQuiet) {}

    /**
     * The flag is set.
     *
     * @param setAtNanos when that was known; everything older than it is a lease older after one lease
     * @param longestLease the longest that any of its last terms was led on
     * @param seen the record as read since; absent until then
     * @param retryAt when the sinks that did not answer are asked again
     */
    record Flag(Freeze freeze, long setAtNanos, Duration longestLease, Optional<ObservedRecord> seen, long retryAt) {
        static Flag set(LeaderRecord record, long nanos) {
            return new Flag(record.freeze().orElseThrow(), nanos, longest(record), Optional.empty(), Step.NEVER);
        }

        Flag seeing(ObservedRecord observed) {
            Duration longest = longest(observed.record());
            return new Flag(
                    freeze,
                    setAtNanos,
                    longest.compareTo(longestLease) > 0 ? longest : longestLease,
                    Optional.of(observed),
                    retryAt);
        }

        /** The flag again, by a number above marks that stood in its way; what counts from it counts from its first setting. */
        Flag numbered(Freeze higher) {
            return new Flag(higher, setAtNanos, longestLease, seen, retryAt);
        }

        Flag retryingAt(long nanos) {
            return new Flag(freeze, setAtNanos, longestLease, seen, nanos);
        }

        boolean isVacant() {
            return seen.isPresent() && seen.get().isVacant();
        }

        /** From then on nobody whom the record does not name can believe to lead. */
        long quietAt() {
            return setAtNanos + longestLease.toNanos();
        }

        private static Duration longest(LeaderRecord record) {
            return record.history().stream()
                    .map(past -> past.leaseLength())
                    .reduce(record.leaseLength(), (a, b) -> a.compareTo(b) >= 0 ? a : b);
        }
    }

    static FreezeState of(String who, Aim aim, GivenSinks sinks) {
        return new FreezeState(Talk.of(who), aim, sinks, Optional.empty(), Optional.empty());
    }

    /** Until then sinks that do not answer are asked again. */
    long closeBy() {
        return flag.orElseThrow().setAtNanos() + aim.closeWithin().toNanos();
    }

    /** Until then a leader on record is waited for: its lease, and as long again for one that is slow to end. */
    long vacantBy() {
        return closeBy() + 2 * flag.orElseThrow().longestLease().toNanos();
    }

    @Override
    public long wakeAtNanos() {
        return flag.map(set -> Math.min(set.retryAt(), talk.askAgainAt())).orElse(talk.askAgainAt());
    }

    FreezeState with(Talk now) {
        return new FreezeState(now, aim, sinks, tried, flag);
    }

    FreezeState with(GivenSinks now) {
        return new FreezeState(talk, aim, now, tried, flag);
    }

    FreezeState trying(Optional<LeaderRecord> record) {
        return new FreezeState(talk, aim, sinks, record, flag);
    }

    FreezeState with(Flag now) {
        return new FreezeState(talk, aim, sinks, tried, Optional.of(now));
    }
}
