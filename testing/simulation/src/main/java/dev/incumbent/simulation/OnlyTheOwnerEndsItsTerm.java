package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * A term whose lease lives ends by its owner's swap, or where that is allowed by a preempting one.
 *
 * <p>A restored store may revive a lease that it had told dead, and whoever was told so claims: a limit, which only the sinks close.
 */
final class OnlyTheOwnerEndsItsTerm extends Inspector {
    private final Set<LeaseId> toldDead = new LinkedHashSet<>();

    OnlyTheOwnerEndsItsTerm(World world) {
        super(world);
    }

    /** A store that goes back may tell a lease dead that it did not know then; going forth again, it may revive it. */
    @Override
    void restored() {
        world().elections().forEach(election -> remember(world().record(election)));
    }

    @Override
    void recordChanged(ElectionName election, ObservedRecord before, ObservedRecord after) {
        remember(after);
        LeaderRecord old = before.record();
        if (old.leader().isEmpty() || !before.leaseAlive() || mayEndOtherwise(old, after.record())) {
            return;
        }
        boolean goesOn = after.record().names(old.leader().get().id(), old.term());
        boolean byOwner = after.record().nonce().startsWith(old.leader().get().id() + ":");
        if (!goesOn && !byOwner) {
            violated("term " + old.term() + " of " + election + ", led by "
                    + old.leader().get() + " with a live lease, is ended by "
                    + after.record().nonce());
        }
    }

    private void remember(ObservedRecord told) {
        if (!told.leaseAlive()) {
            told.record().lease().ifPresent(toldDead::add);
        }
    }

    private boolean mayEndOtherwise(LeaderRecord old, LeaderRecord next) {
        return world().profile().isSuspectedAtWill()
                || old.lease().filter(toldDead::contains).isPresent()
                || isPreemptedRightly(old, next);
    }

    /** Where processes hear each other a fenced leader may be preempted that is really missed. */
    private boolean isPreemptedRightly(LeaderRecord old, LeaderRecord next) {
        return world().profile().isHeard()
                && !old.sinks().isEmpty()
                && next.leader()
                        .filter(claimant -> world().missing()
                                .isMissed(old.leader().orElseThrow().id(), claimant.id()))
                        .isPresent();
    }
}
