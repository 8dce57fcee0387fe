package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.opentest4j.TestAbortedException;

/** When things end: not only that they do, and why. */
@Tag("realtime")
abstract class DeadlineContract extends Section {
    private static final Duration HOUR = Duration.ofHours(1);

    /** Keep-alives do not add up. */
    @Test
    final void aLeaseThatWasKeptAliveSeveralTimesDiesInTime() {
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        RecordedWatcher watcher = new RecordedWatcher();
        assertThat(other.watch(election, watcher)).isNotNull();

        for (int i = 0; i < 4; i++) {
            scene.get(one.keepAlive(lease.id()));
        }

        scene.letDie(other, election, lease);
        scene.within(
                rig.requestTimeout().multipliedBy(3),
                "the telling of a death",
                () -> watcher.last().filter(record -> !record.leaseAlive()).isPresent());
    }

    /** What is told is what the store says: no more than is left when it is read, and no less. */
    @Test
    final void theRemainderOfALeaseIsWhatIsLeftOfIt() {
        long asked = rig.timeline().nanos();
        GrantedLease lease = scene.grant(one);
        long granted = rig.timeline().nanos();
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));

        rig.passTime(part(lease.timeToLive(), 0.2));
        assertRemains(lease, asked, granted);
        rig.passTime(part(lease.timeToLive(), 0.2));
        assertRemains(lease, asked, granted);

        long keptFrom = rig.timeline().nanos();
        judgedWithin(asked, lease, () -> scene.get(one.keepAlive(lease.id())));
        long kept = rig.timeline().nanos();
        rig.passTime(part(lease.timeToLive(), 0.1));
        assertRemains(lease, keptFrom, kept);
    }

    /** A keep-alive extends one lease, by that one's length: neither by its client's first length, nor by the last. */
    @Test
    final void ofSeveralLeasesOfOneClientEachHoldsForItsOwnLength() {
        GrantedLease shorter = scene.grant(one);
        GrantedLease longer = scene.get(
                one.grant(scene.candidate("owner").id(), shorter.timeToLive().multipliedBy(2)));
        GrantedLease kept = scene.grant(one);
        Revision first = scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", shorter.id()));
        assertThat(longer.timeToLive()).isGreaterThan(shorter.timeToLive()).isGreaterThan(kept.timeToLive());
        long asked = rig.timeline().nanos();
        scene.get(one.keepAlive(longer.id()));

        scene.letDieWhile(
                other,
                election,
                shorter,
                () -> assertThat(scene.ended(one.keepAlive(kept.id()))).isDone());
        scene.assertLost(one.keepAlive(shorter.id()));
        scene.swapped(one, election, first, scene.claim(2, "ada", longer.id()));
        boolean isAlive = scene.isAlive(other, election);
        Duration passed = Duration.ofNanos(rig.timeline().nanos() - asked);

        assertThat(isAlive || passed.compareTo(longer.timeToLive()) >= 0).isTrue();
        scene.get(one.revoke(longer.id()));
    }

    @Test
    final void aStepOfTheStoresClockBackEndsNoLease() {
        needs(Ability.STEP_STORE_CLOCK);
        LeaseId lease = scene.lease(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease));

        rig.stepStoreClock(HOUR.negated());

        assertThat(scene.isAlive(other, election)).isTrue();
        scene.get(one.keepAlive(lease));
        assertThat(scene.isAlive(other, election)).isTrue();
    }

    /** The other's call is the clock: cut off as well, it lasts for a whole request timeout. */
    @ParameterizedTest
    @EnumSource(names = {"SILENT", "MUTE", "DELAYED"})
    final void closingEndsACallBeforeItsTimeIsUp(Cut how) {
        needs(how);
        rig.cut(one, how);
        rig.cut(other, how);
        AtomicLong endOfMine = new AtomicLong();
        AtomicLong endOfTheirs = new AtomicLong();
        CompletableFuture<?> theirs = endTold(other, endOfTheirs);
        CompletableFuture<?> mine = endTold(one, endOfMine);

        one.close();

        scene.within(
                rig.requestTimeout().multipliedBy(2), "the end of two calls", () -> mine.isDone() && theirs.isDone());
        assertThat(Duration.ofNanos(endOfTheirs.get() - endOfMine.get()))
                .as("by that the closed client's call ended before the other's")
                .isGreaterThan(rig.requestTimeout().dividedBy(2));
    }

    private CompletableFuture<?> endTold(Coordinator client, AtomicLong end) {
        return client.read(Set.of(election))
                .handle((answer, failure) -> {
                    end.set(rig.timeline().nanos());
                    return true;
                })
                .toCompletableFuture();
    }

    /** Where the lease's time was up meanwhile, the machine was too slow for this test. */
    private void judgedWithin(long asked, GrantedLease lease, Runnable call) {
        try {
            call.run();
        } catch (LeaseLostException lost) {
            Duration passed = Duration.ofNanos(rig.timeline().nanos() - asked);
            assertThat(passed).as("lost after").isGreaterThanOrEqualTo(lease.timeToLive());
            throw new TestAbortedException(
                    "machine too slow to judge: a lease of " + lease.timeToLive()
                            + " should be kept alive in time, and " + passed + " had passed",
                    lost);
        }
    }

    private void assertRemains(GrantedLease lease, long asked, long granted) {
        long sent = rig.timeline().nanos();
        Optional<ObservedRecord> found = Optional.of(scene.found(other, election));
        long answered = rig.timeline().nanos();
        Duration least = lease.timeToLive().minusNanos(answered - asked).minus(rounding());
        Duration most = lease.timeToLive().minusNanos(sent - granted).plus(rounding());
        found.flatMap(ObservedRecord::leaseRemaining)
                .ifPresent(left -> assertThat(left)
                        .as("what is left of a lease of " + lease.timeToLive())
                        .isBetween(least, most));
    }

    private Duration rounding() {
        return other.capabilities().leaseGranularity().plusMillis(2);
    }
}
