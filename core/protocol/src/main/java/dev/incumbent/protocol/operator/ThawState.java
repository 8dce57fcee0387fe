package dev.incumbent.protocol.operator;

import dev.incumbent.model.ObservedRecord;
import dev.incumbent.protocol.Step;
import java.time.Duration;

/**
 * A thaw under way.
 *
 * @param deadline until then sinks that do not answer a raise are asked again; {@link dev.incumbent.protocol.Step#NEVER} before the first step
 * @param from the record that it began on, once that is read; what changes afterwards ends it
 * @param number what every sink is raised to, and the term at least; 0 until then
 * @param retryAt when the sinks that did not answer are asked again
 */
record ThawState(
        Talk talk,
        Duration raiseWithin,
        GivenSinks sinks,
        long deadline,
        ObservedRecord from,
        long number,
        long retryAt)
        implements OperatorState {

    static ThawState of(String who, Duration raiseWithin, GivenSinks sinks) {
        return new ThawState(Talk.of(who), raiseWithin, sinks, Step.NEVER, ObservedRecord.ABSENT, 0, Step.NEVER);
    }

    @Override
    public long wakeAtNanos() {
        return Math.min(retryAt, talk.askAgainAt());
    }

    ThawState with(Talk now) {
        return new ThawState(now, raiseWithin, sinks, deadline, from, number, retryAt);
    }

    ThawState with(GivenSinks now) {
        return new ThawState(talk, raiseWithin, now, deadline, from, number, retryAt);
    }

    ThawState until(long nanos) {
        return new ThawState(talk, raiseWithin, sinks, nanos, from, number, retryAt);
    }

    ThawState raising(ObservedRecord observed, long to) {
        return new ThawState(talk, raiseWithin, sinks, deadline, observed, to, retryAt);
    }

    ThawState retryingAt(long nanos) {
        return new ThawState(talk, raiseWithin, sinks, deadline, from, number, nanos);
    }
}
