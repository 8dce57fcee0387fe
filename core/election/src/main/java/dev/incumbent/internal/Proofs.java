package dev.incumbent.internal;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.model.Role;
import dev.incumbent.model.Timing;

/**
 * What is read beside a keep-alive: the records of all elections, and the marks of every sink that a leader guards, one query a sink. A follower of a store that pushes
 * reads its record only once in a lease, in case its watch is silently dead. Now and then whoever stands looks whether it is still on the list: a store that was restored,
 * or a withdrawal that arrived late, may have taken it off. Owned by the loop's thread.
 */
final class Proofs {
    private static final int LISTS_EVERY = 10;

    private final Batches batches;
    private final long followersEvery;
    private int round;

    /** Followers read beside every so many keep-alives. */
    Proofs(Batches batches, long followersEvery) {
        this.batches = batches;
        this.followersEvery = followersEvery;
    }

    /** Once in a lease where the store pushes its changes; beside each keep-alive where it is polled. */
    static long followersEvery(Capabilities store, Timing timing) {
        return store.pushesChanges() ? timing.lease().dividedBy(timing.renewEvery()) : 1;
    }

    void read(Iterable<ElectionDriver> drivers) {
        round++;
        for (ElectionDriver driver : drivers) {
            if (round % LISTS_EVERY == 0 && driver.state().role() == Role.CANDIDATE) {
                batches.listCandidates(driver.election());
            }
            if (driver.state().tenure().isPresent()) {
                batches.readProof(driver.election());
            } else if (round % followersEvery == 0 || !driver.isFollower()) {
                batches.readRecord(driver.election());
            }
            if (driver.state().role() == Role.LEADER) {
                driver.sinks().forEach((id, sink) -> batches.readMark(driver.election(), id, sink));
            }
        }
    }
}
