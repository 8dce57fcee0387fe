package dev.incumbent.lab.world;

import java.util.ArrayList;
import java.util.List;

/** The moments at which a fault struck the one leader, and what came of them. Times are true times in nanoseconds. */
final class LeaderLosses {
    private final List<Loss> losses = new ArrayList<>();

    private static final class Loss {
        private final int struck;
        private final long at;
        private final boolean detectable;
        private long detected = LossTimes.NEVER;
        private long replaced = LossTimes.NEVER;

        Loss(int struck, long at, boolean detectable) {
            this.struck = struck;
            this.at = at;
            this.detectable = detectable;
        }
    }

    /** The leader was struck; or it was asked to hand over, which nobody has to detect. */
    void lost(int leader, long now, boolean detectable) {
        losses.add(new Loss(leader, now, detectable));
    }

    /** Another member holds an election, or claims. */
    void suspected(int by, long now) {
        for (Loss loss : losses) {
            if (loss.struck != by && loss.detected == LossTimes.NEVER && loss.replaced == LossTimes.NEVER) {
                loss.detected = now - loss.at;
            }
        }
    }

    /** A member leads from now on. The one that was struck counts as well: where nobody else does, it is the next leader. */
    void began(int by, long now) {
        suspected(by, now);
        for (Loss loss : losses) {
            if (loss.replaced == LossTimes.NEVER) {
                loss.replaced = now - loss.at;
            }
        }
    }

    /** The fault is over, and that leader leads as if nothing had been: nobody had to replace it. */
    void recovered(int leader) {
        losses.removeIf(loss -> loss.struck == leader && loss.replaced == LossTimes.NEVER);
    }

    List<LossTimes> times() {
        return losses.stream()
                .map(loss -> new LossTimes(loss.detectable, loss.detected, loss.replaced))
                .toList();
    }
}
