package dev.incumbent.simulation;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Request;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Step;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the record tells of terms that are over. Each is a class named as its sentence. */
final class RecordInvariants {
    private RecordInvariants() {}

    private static Optional<PastTerm> last(LeaderRecord record) {
        List<PastTerm> history = record.history();
        return history.isEmpty() ? Optional.empty() : Optional.of(history.get(history.size() - 1));
    }

    static boolean isVacatedByItsLeader(ObservedRecord before, ObservedRecord after) {
        return after.record().leader().isEmpty()
                && before.record()
                        .leader()
                        .filter(led -> after.record().nonce().startsWith(led.id() + ":"))
                        .isPresent();
    }

    /** A term that began, or whose leader died, stands last in the history once it is over; but for a store that goes back. */
    static final class EveryTermIsInTheHistory extends Inspector {
        private record Led(ElectionName election, long term) {}

        private final Set<Led> begun = new LinkedHashSet<>();

        EveryTermIsInTheHistory(World world) {
            super(world);
        }

        @Override
        void begun(Begun next) {
            begun.add(new Led(next.election(), next.term()));
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            if (before.record().leader().isEmpty() || world().profile().kinds().contains(Fault.Kind.STORE_RESTORED)) {
                return;
            }
            long over = before.record().term();
            boolean vacated = isVacatedByItsLeader(before, after) && begun.contains(new Led(election, over));
            boolean taken =
                    after.record().leader().isPresent() && after.record().term() > over;
            if ((vacated || taken)
                    && last(after.record())
                            .filter(past -> past.number() == over)
                            .isEmpty()) {
                violated("term " + over + " of " + election + " is over, and the history ends with "
                        + last(after.record()));
            }
        }
    }

    /** A term that ends in a candidate's favour leaves a record that names it, and notes it, so that no move undoes it. */
    static final class AHandoverNamesItsSuccessor extends Inspector {
        AHandoverNamesItsSuccessor(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            boolean transferred = isVacatedByItsLeader(before, after)
                    && last(after.record())
                            .filter(past ->
                                    past.number() == before.record().term() && past.reason() == EndReason.TRANSFERRED)
                            .isPresent();
            Optional<Request.TransferTo> named = after.record()
                    .request()
                    .filter(Request.TransferTo.class::isInstance)
                    .map(Request.TransferTo.class::cast);
            if (transferred && named.isEmpty()) {
                violated(
                        "term " + before.record().term() + " of " + election + " was handed over, and the record names "
                                + after.record().request());
            }
            boolean noted = after.record()
                    .moved()
                    .filter(moved ->
                            named.filter(one -> moved.isTo(one.successor())).isPresent())
                    .isPresent();
            if (transferred && !noted) {
                violated(
                        "term " + before.record().term() + " of " + election + " was handed over, and the record notes "
                                + after.record().moved());
            }
        }
    }

    /** Whoever meets a mark above its own writes it down when it vacates, so that nobody else has to meet it; but for a store that goes back meanwhile. */
    static final class MarksThatWereMetAreWrittenDown extends Inspector implements Witness {
        private record Who(CandidateId id, ElectionName election) {}

        private final Map<Who, Long> met = new LinkedHashMap<>();

        MarksThatWereMetAreWrittenDown(World world) {
            super(world);
        }

        @Override
        public void stepped(Player player, ElectionState before, Event event, Step<ElectionState, Effect> step) {
            if (step.state().tenure().isEmpty()) {
                return;
            }
            step.state()
                    .tenure()
                    .flatMap(mine -> mine.ending().obstacle())
                    .ifPresent(obstacle -> met.merge(
                            new Who(player.candidate().id(), player.election()),
                            obstacle.mark().token().value(),
                            Math::max));
        }

        @Override
        void restored() {
            met.clear();
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            if (isVacatedByItsLeader(before, after)) {
                CandidateId leader = before.record().leader().orElseThrow().id();
                long least = Optional.ofNullable(met.remove(new Who(leader, election)))
                        .orElse(0L);
                if (after.record().term() < least) {
                    violated(leader + " met mark " + least + " in " + election + ", and leaves term "
                            + after.record().term());
                }
            }
        }
    }
}
