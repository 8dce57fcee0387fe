package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.Punctuality;
import dev.incumbent.model.Timing;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/**
 * One election, for which three candidates of the shipped library stand, each on a wire of its own, one of them without a task; and the witness that sees all of them at
 * once.
 */
final class Office implements AutoCloseable {
    private static final int CANDIDATES = 3;
    private static final int ASKED = 1;
    private static final Duration STOP_BUDGET = Duration.ofMillis(200);

    /** One candidate: all it has of its own. */
    record Standing(Coordinator coordinator, Elections elections, Candidacy candidacy, Evidence evidence) {
        boolean leads() {
            return candidacy.leadership().map(Leadership::holds).orElse(false);
        }
    }

    private final AdverseRig rig;
    private final Witness witness;
    private final List<Standing> standing = new ArrayList<>();

    Office(AdverseRig rig) {
        this.rig = rig;
        this.witness = new Witness(rig.timeline());
        String name = "adverse/" + UUID.randomUUID();
        for (int i = 0; i < CANDIDATES; i++) {
            standing.add(stand(name, i));
        }
        witness.watchInBackground(standing);
    }

    private Standing stand(String name, int number) {
        Coordinator coordinator = rig.connect();
        Timing timing = new Timing(
                rig.lease(),
                rig.lease().dividedBy(3),
                rig.requestTimeout(),
                STOP_BUDGET,
                Duration.ZERO,
                Timing.DRIFT_BOUND,
                Timing.MARGIN);
        Evidence evidence = new Evidence();
        Elections elections = Elections.over(coordinator)
                .name("candidate-" + number)
                .timing(timing)
                .trace(evidence)
                .open();
        Election election = elections.election(name);
        Candidacy candidacy = number == ASKED ? election.campaign() : election.campaign(Office::untilInterrupted);
        return new Standing(coordinator, elections, candidacy, evidence);
    }

    private static void untilInterrupted(Leadership leadership) throws InterruptedException {
        new CountDownLatch(1).await();
    }

    Timeline time() {
        return rig.timeline();
    }

    List<Standing> standing() {
        return standing;
    }

    Optional<Standing> leader() {
        return standing.stream().filter(Standing::leads).findFirst();
    }

    /** The one who leads, within the time that a store may need to notice a death and a candidate to claim. */
    Standing awaitLeader() {
        return awaitLeaderAmong(standing);
    }

    Standing awaitLeaderAmong(List<Standing> some) {
        List<Standing> leaders = new ArrayList<>();
        new Punctuality(rig).within(succession(), () -> "a leader of " + healths(), () -> {
            some.stream().filter(Standing::leads).findFirst().ifPresent(leaders::add);
            return !leaders.isEmpty();
        });
        return leaders.get(0);
    }

    List<String> healths() {
        return standing.stream().map(one -> one.candidacy().health().toString()).toList();
    }

    /** What a succession may take: the lease, the store's lag, and once more a lease where candidates count a dead one themselves. */
    Duration succession() {
        return rig.lease()
                .multipliedBy(2)
                .plus(standing.get(0).coordinator().capabilities().expiryLag())
                .plus(rig.requestTimeout().multipliedBy(4));
    }

    /** Nobody ever led wrongly, until now. */
    void assertLawful() {
        assertThat(witness.violations()).as("what the witness saw").isEmpty();
    }

    /** The greatest token that was ever led with, until this very moment. */
    long token() {
        witness.look(standing);
        return witness.token();
    }

    @Override
    public void close() {
        witness.close();
        standing.forEach(one -> one.candidacy().close());
        standing.forEach(one -> one.elections().close());
    }
}
