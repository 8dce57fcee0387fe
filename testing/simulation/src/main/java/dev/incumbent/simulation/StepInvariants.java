package dev.incumbent.simulation;

import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Role;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.HeldLease;
import dev.incumbent.protocol.Step;
import java.util.Optional;

/** What holds of single steps: of claims that are made, and of terms that are given up. Each is a class named as its sentence. */
final class StepInvariants {
    private StepInvariants() {}

    /** No claim is made by whoever would have to stop before it could begin. */
    static final class WhoeverClaimsCouldLead extends Inspector implements Witness {
        WhoeverClaimsCouldLead(World world) {
            super(world);
        }

        @Override
        public void stepped(Player player, ElectionState before, Event event, Step<ElectionState, Effect> step) {
            Optional<Attempt> now = step.state().attempt();
            if (now.isEmpty() || now.get().kind() != Attempt.Kind.CLAIM) {
                return;
            }
            Optional<LeaderRecord> next = now.map(Attempt::next);
            if (next.equals(before.attempt().map(Attempt::next))) {
                return;
            }
            Timing timing = player.setup().timing();
            long stopAt = step.state()
                    .lease()
                    .map(lease ->
                            lease.validUntilNanos(timing) - timing.stopLead().toNanos())
                    .orElse(Long.MIN_VALUE);
            boolean ending = step.state().lease().filter(HeldLease::ending).isPresent();
            if (ending || stopAt <= now.get().sentAtNanos()) {
                violated(player.candidate() + " claims " + player.election() + " with "
                        + step.state().lease() + ", of which no term could begin");
            }
        }
    }

    /**
     * Who gives up a term as superseded is so: by the record, or as a sink says. Answers may be late; the store's record may go back, and then nothing is
     * asked.
     */
    static final class WhoeverIsSupersededWas extends Inspector implements Witness {
        WhoeverIsSupersededWas(World world) {
            super(world);
        }

        @Override
        public void stepped(Player player, ElectionState before, Event event, Step<ElectionState, Effect> step) {
            boolean led = before.role() == Role.FENCING || before.role() == Role.LEADER;
            if (!led || step.state().role() != Role.RESIGNING || isOfASink(event)) {
                return;
            }
            Term term = before.tenure().orElseThrow().term();
            boolean superseded = step.state()
                    .tenure()
                    .flatMap(mine -> mine.ending().reason())
                    .filter(EndReason.SUPERSEDED::equals)
                    .isPresent();
            LeaderRecord record = world().record(player.election()).record();
            if (superseded
                    && record.names(player.candidate().id(), term.number())
                    && !world().profile().kinds().contains(Fault.Kind.STORE_RESTORED)) {
                violated(player.candidate() + " gives up " + term + " as superseded, told by " + event
                        + ", and the record has named it all the while");
            }
        }

        private static boolean isOfASink(Event event) {
            return event instanceof Event.MarkRefused
                    || event instanceof Event.MarkRead
                    || event instanceof Event.TokenRefused
                    || event instanceof Event.TaskReturned;
        }
    }
}
