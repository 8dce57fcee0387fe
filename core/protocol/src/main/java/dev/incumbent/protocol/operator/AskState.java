package dev.incumbent.protocol.operator;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.protocol.Step;
import java.time.Duration;
import java.util.Optional;

/**
 * A transfer or a resignation under way.
 *
 * @param successor the id or name to hand over to; absent asks to resign
 * @param deadline when the request is taken back; {@link dev.incumbent.protocol.Step#NEVER} before the first step
 * @param seen the record as last read
 * @param asked whom and what is asked, from the first sending on
 */
record AskState(
        Talk talk,
        Optional<String> successor,
        Duration timeout,
        long deadline,
        ObservedRecord seen,
        Optional<Asked> asked)
        implements OperatorState {

    /**
     * What one term was asked.
     *
     * @param successor who was chosen
     * @param stands the request is known to have stood in the record
     * @param takingBack the swap under way clears it
     * @param vacantAt when nobody was first seen to lead after that term
     * @param claimedAt when a later term was first seen
     */
    record Asked(
            long term,
            Candidate leader,
            Optional<Candidate> successor,
            boolean stands,
            boolean takingBack,
            Optional<Long> vacantAt,
            Optional<Long> claimedAt) {
        Asked standing() {
            return new Asked(term, leader, successor, true, takingBack, vacantAt, claimedAt);
        }

        Asked beingTakenBack() {
            return new Asked(term, leader, successor, stands, true, vacantAt, claimedAt);
        }

        Asked vacantSince(long nanos) {
            return vacantAt.isPresent()
                    ? this
                    : new Asked(term, leader, successor, stands, takingBack, Optional.of(nanos), claimedAt);
        }

        Asked claimedSince(long nanos) {
            return claimedAt.isPresent()
                    ? this
                    : new Asked(term, leader, successor, stands, takingBack, vacantAt, Optional.of(nanos));
        }

        /** From vacancy to claim, where both were seen. */
        Optional<Duration> gap() {
            return vacantAt.flatMap(vacant -> claimedAt.map(claimed -> Duration.ofNanos(claimed - vacant)));
        }
    }

    static AskState transferTo(String who, String successor, Duration timeout) {
        return new AskState(
                Talk.of(who), Optional.of(successor), timeout, Step.NEVER, ObservedRecord.ABSENT, Optional.empty());
    }

    static AskState resign(String who, Duration timeout) {
        return new AskState(
                Talk.of(who), Optional.empty(), timeout, Step.NEVER, ObservedRecord.ABSENT, Optional.empty());
    }

    @Override
    public long wakeAtNanos() {
        return talk.askAgainAt();
    }

    AskState with(Talk now) {
        return new AskState(now, successor, timeout, deadline, seen, asked);
    }

    AskState until(long nanos) {
        return new AskState(talk, successor, timeout, nanos, seen, asked);
    }

    AskState seeing(ObservedRecord observed) {
        return new AskState(talk, successor, timeout, deadline, observed, asked);
    }

    AskState asking(Asked what) {
        return new AskState(talk, successor, timeout, deadline, seen, Optional.of(what));
    }
}
