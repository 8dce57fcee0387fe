package dev.incumbent.protocol.operator;

import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PlannedTransfer;
import java.time.Instant;
import java.util.Optional;

/**
 * The planning of a transfer for later, or taking it back, under way.
 *
 * @param asked what to plan; absent takes back what is planned
 * @param seen the record as last read
 * @param stands somebody whom the plan means was seen to stand or to lead
 * @param was what was found planned first, to be taken back
 */
record PlanState(
        Talk talk, Optional<PlannedTransfer> asked, ObservedRecord seen, boolean stands, Optional<PlannedTransfer> was)
        implements OperatorState {
    static PlanState of(PlannedTransfer asked) {
        return new PlanState(Talk.of(asked.by()), Optional.of(asked), ObservedRecord.ABSENT, false, Optional.empty());
    }

    static PlanState cancelling(String who) {
        return new PlanState(Talk.of(who), Optional.empty(), ObservedRecord.ABSENT, false, Optional.empty());
    }

    @Override
    public long wakeAtNanos() {
        return talk.askAgainAt();
    }

    PlanState with(Talk now) {
        return new PlanState(now, asked, seen, stands, was);
    }

    PlanState begunAt(Instant time) {
        return new PlanState(
                talk,
                asked.map(one -> new PlannedTransfer(one.by(), one.to(), one.notBefore(), time)),
                seen,
                stands,
                was);
    }

    PlanState seeing(ObservedRecord observed) {
        Optional<PlannedTransfer> first = was.or(() -> observed.record().planned());
        return new PlanState(talk, asked, observed, stands, first);
    }

    PlanState standing(boolean is) {
        return new PlanState(talk, asked, seen, is, was);
    }
}
