package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.RankMove;
import dev.incumbent.model.Turns;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What holds of leaders that hand over to a better rank by themselves. Each is a class named as its sentence. */
final class MoveInvariants {
    private MoveInvariants() {}

    /** Was leadership given up for the sake of a rank by this swap? A move that was tried in vain, or has lasted, is noted under a leader. */
    private static boolean isMove(ObservedRecord before, ObservedRecord after) {
        return RecordInvariants.isVacatedByItsLeader(before, after)
                && after.record().moved().isPresent()
                && !after.record().moved().equals(before.record().moved());
    }

    /** While who stands, the ranks and the cordons are as they were at the last move, there is no other; but for a store that goes back. */
    static final class OneMoveForEachChange extends Inspector {
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
            Optional<RankMove> next = after.record().moved();
            if (next.equals(before.record().moved())) {
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
            if (isMove(before, after)) {
                world().reach(Milestone.MOVED_TO_BETTER);
                if (earlier.equals(inputs)) {
                    violated(election + " was moved once more while nothing had changed: " + next.get());
                }
            }
        }
    }

    /** A term that is given up for the sake of a rank has lasted, and by the true list of candidates a better rank stands. */
    static final class OnlyTheBetterIsMovedTo extends Inspector {
        OnlyTheBetterIsMovedTo(World world) {
            super(world);
        }

        @Override
        void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
            if (!isMove(before, after)) {
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
