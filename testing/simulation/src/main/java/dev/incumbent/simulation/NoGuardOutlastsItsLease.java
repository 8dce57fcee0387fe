package dev.incumbent.simulation;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ObservedRecord;
import java.util.Optional;

/**
 * What a guard says to remain is over before the lease is, if every clock goes on as it does: asked now and then, where clocks keep within their bound, nobody
 * preempts and the store forgets nothing. A lease that is dated too late shows here, although nobody waits to take the term.
 */
final class NoGuardOutlastsItsLease extends Inspector {
    NoGuardOutlastsItsLease(World world) {
        super(world);
    }

    @Override
    void sampled() {
        if (!world().profile().timely()) {
            return;
        }
        for (Node node : world().nodes()) {
            for (Player player : node.players()) {
                if (player.guardHolds()) {
                    long end = player.guardEnds();
                    leaseOf(player).filter(lease -> lease < end).ifPresent(lease -> outlasts(player, end - lease));
                }
            }
        }
    }

    private void outlasts(Player player, long nanos) {
        violated(player.candidate() + " believes to lead " + player.election() + " for " + nanos / 1_000_000
                + " ms longer than its lease can live");
    }

    /** When the lease of its term ends unless it is kept alive again, in true time. */
    private Optional<Long> leaseOf(Player player) {
        DriftingClock clock = world().storeClock();
        return world().reading(player.election())
                .filter(Reading.Found.class::isInstance)
                .map(found -> ((Reading.Found) found).record())
                .filter(ObservedRecord::leaseAlive)
                .flatMap(ObservedRecord::leaseRemaining)
                .map(left -> clock.trueTimeOf(clock.nanos() + left.toNanos()));
    }
}
