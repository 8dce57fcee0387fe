package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.Turns;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Step;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What holds of leaders that hand over to a better rank by themselves. Each is a class named as its sentence. */
final class MoveInvariants {
    private MoveInvariants() {}

    /** Tells a leader's move by itself from a transfer that somebody asked for: both are noted in the record. */
    private abstract static class OfMoves extends Inspector implements Witness {
        private record Held(ElectionName election, long term) {}

        /** The terms whose leaders last began to hand over by themselves. */
        private final Set<Held> moving = new LinkedHashSet<>();

        OfMoves(World world) {
            super(world);
        }

        @Override
        public void stepped(Player player, ElectionState before, Event event, Step<ElectionState, Effect> step) {
            step.state()
                    .tenure()
                    .filter(mine -> mine.handover().successor().isPresent())
                    .ifPresent(mine -> {
                        Held held = new Held(player.election(), mine.term().number());
                        if (mine.handover().isMove()) {
                            moving.add(held);
                        } else {
                            moving.remove(held);
                        }
                    });
        }

        /** Was leadership given up for the sake of a rank by this swap? Not where an operator has asked for another successor meanwhile. */
        boolean isMove(ElectionName election, ObservedRecord before, ObservedRecord after) {
            long term = before.record().term();
            return RecordInvariants.isVacatedByItsLeader(before, after)
                    && moving.contains(new Held(election, term))
                    && after.record()
                            .request()
                            .filter(own -> own.id()
                                    .equals(before.record()
                                                    .leader()
                                                    .orElseThrow()
                                                    .id() + ":" + term))
                            .isPresent();
        }
    }

    /** While who stands, the ranks and the cordons are as they were at the last move or transfer, there is no other move; but for a store that goes back. */
    static final class OneMoveForEachChange extends OfMoves {
        private final Map<ElectionName, String> last = new LinkedHashMap<>();

        OneMoveForEachChange(World world) {
            super(world);
        }

        @Override
        void restored() {
            last.clear();
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            boolean isMove = isMove(election, before, after);
            Optional<RankMove> next = after.record().moved();
            if (!isMove && next.equals(before.record().moved())) {
                return;
            }
            if (next.isEmpty()) {
                if (!before.record().moved().orElseThrow().lasted()) {
                    violated(election + " has forgotten a move that did not last: "
                            + before.record().moved());
                }
                last.remove(election);
                return;
            }
            String inputs = next.get().inputs();
            String earlier = Optional.ofNullable(last.put(election, inputs)).orElse("");
            if (isMove) {
                world().reach(Milestone.MOVED_TO_BETTER);
                if (earlier.equals(inputs)) {
                    violated(election + " was moved once more while nothing had changed: " + next.get());
                }
            }
        }
    }

    /** A term that is given up for the sake of a rank has lasted, and by the true list of candidates a better rank stands. */
    static final class OnlyTheBetterIsMovedTo extends OfMoves {
        OnlyTheBetterIsMovedTo(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            if (!isMove(election, before, after)) {
                return;
            }
            long least = world().profile().movesAfter().orElseThrow().toNanos()
                    - world().profile().leaseNanos();
            long term = before.record().term();
            boolean early = world().begun().stream()
                    .anyMatch(one -> one.election().equals(election)
                            && one.term() == term
                            && world().now() - one.atNanos() < least);
            if (early) {
                violated("term " + term + " of " + election + " was given up for a better rank before its time");
            }
            boolean isSame = after.record()
                    .moved()
                    .orElseThrow()
                    .inputs()
                    .equals(Turns.of(before.record()).inputs(world().line(election)));
            boolean better = !Turns.of(before.record())
                    .betterThan(before.record().leader().orElseThrow().id(), world().line(election))
                    .isEmpty();
            if (isSame && !better) {
                violated("term " + term + " of " + election + " was given up, and nobody ranks better");
            }
        }
    }
}
