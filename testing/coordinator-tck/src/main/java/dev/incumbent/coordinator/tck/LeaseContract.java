package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Leases: a promise that ends by silence; dead is final. */
abstract class LeaseContract extends Section {
    private static final Duration HOUR = Duration.ofHours(1);

    @Test
    final void aLeaseIsGrantedForAtLeastTheLengthAskedFor() {
        assertThat(scene.grant(one).timeToLive()).isGreaterThanOrEqualTo(rig.lease());
    }

    @Test
    @Tag("realtime")
    final void aLeaseHoldsForTheLengthThatItWasGrantedFor() {
        long asked = rig.timeline().nanos();
        GrantedLease lease = scene.grant(one);

        rig.passTime(part(lease.timeToLive(), 0.9));

        assertHoldsUntil(asked, lease, one.keepAlive(lease.id()));
    }

    @Test
    @Tag("realtime")
    final void eachKeepAliveExtendsALeaseForItsWholeLengthFromItsArrival() {
        GrantedLease lease = scene.grant(one);
        long sent = rig.timeline().nanos();

        for (int i = 0; i < 3; i++) {
            rig.passTime(part(lease.timeToLive(), 0.7));
            long next = rig.timeline().nanos();
            assertHoldsUntil(sent, lease, one.keepAlive(lease.id()));
            sent = next;
        }
    }

    @Test
    @Tag("realtime")
    final void aLeaseKeptAliveIsNotReadAsDead() {
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        long sent = rig.timeline().nanos();

        for (int i = 0; i < 4; i++) {
            rig.passTime(part(lease.timeToLive(), 0.4));
            long next = rig.timeline().nanos();
            assertHoldsUntil(sent, lease, one.keepAlive(lease.id()));
            boolean isAlive = scene.isAlive(other, election);
            boolean inTime = rig.timeline().nanos() - next < lease.timeToLive().toNanos()
                    && next - sent < lease.timeToLive().toNanos();
            assertThat(isAlive || !inTime).isTrue();
            sent = next;
        }
    }

    @Test
    @Tag("realtime")
    final void aLeaseThatNobodyKeepsAliveDies() {
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));

        assertThat(scene.isAlive(other, election)).isTrue();
        scene.letDie(other, election, lease);

        assertThat(scene.isAlive(one, election)).isFalse();
    }

    @Test
    @Tag("realtime")
    final void aLeaseToldDeadByAReadIsDeadForEver() {
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));

        scene.letDie(other, election, lease);

        assertIsDead(lease.id());
    }

    @Test
    @Tag("realtime")
    final void aLeaseToldDeadByAReadStaysDeadWhenTheStoresClockStepsBack() {
        needs(Ability.STEP_STORE_CLOCK);
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        scene.letDie(other, election, lease);

        rig.stepStoreClock(HOUR.negated());

        assertThat(scene.isAlive(other, election)).isFalse();
        assertIsDead(lease.id());
    }

    @Test
    final void aLeaseToldDeadByAKeepAliveStaysDeadWhenTheStoresClockStepsBack() {
        needs(Ability.STEP_STORE_CLOCK);
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        rig.stepStoreClock(HOUR);
        scene.assertLost(one.keepAlive(lease.id()));

        rig.stepStoreClock(HOUR.negated());

        assertIsDead(lease.id());
    }

    @Test
    final void aLeaseToldDeadByAnEnlistingStaysDeadWhenTheStoresClockStepsBack() {
        needs(Ability.STEP_STORE_CLOCK);
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        rig.stepStoreClock(HOUR);
        scene.assertLost(one.enlist(election, scene.enlisted("ada", lease.id())));

        rig.stepStoreClock(HOUR.negated());

        assertIsDead(lease.id());
    }

    @Test
    @Tag("realtime")
    final void aLeaseToldDeadByAWatchStaysDeadWhenTheStoresClockStepsBack() {
        needs(Ability.STEP_STORE_CLOCK);
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        RecordedWatcher watcher = new RecordedWatcher();
        other.watch(election, watcher);
        rig.passTime(lease.timeToLive());
        Duration lag = other.capabilities().expiryLag();
        scene.within(
                lag,
                "the telling of a death",
                () -> watcher.last().filter(it -> !it.leaseAlive()).isPresent());

        rig.stepStoreClock(HOUR.negated());

        assertIsDead(lease.id());
    }

    /** Who looked while the clock was ahead buries later: by then the lease is not over, and its holder was told so. */
    @Test
    @Tag("realtime")
    final void aBurialUnderWayWhenTheClockStepsBackEndsNoLeaseThatWasKeptAliveSince() {
        needs(Ability.STEP_STORE_CLOCK);
        needsWires();
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        assertThat(scene.isAlive(other, election)).isTrue();
        Duration delay = rig.requestTimeout().dividedBy(4);

        rig.stepStoreClock(HOUR);
        rig.slowAnswers(other, delay);
        CompletionStage<Map<ElectionName, Reading>> look = other.read(Set.of(election));
        rig.passTime(part(delay, 0.5));
        rig.hold(other);
        rig.stepStoreClock(HOUR.negated());
        long sent = rig.timeline().nanos();
        boolean kept = !scene.ended(one.keepAlive(lease.id())).isCompletedExceptionally();
        rig.passTime(part(delay, 1.5));
        rig.letGo(other);

        assertThat(scene.ended(look)).isDone();
        if (kept) {
            assertHoldsUntil(sent, lease, one.keepAlive(lease.id()));
        }
    }

    @Test
    final void revokingALeaseIsFinalAndMayBeRepeated() {
        LeaseId lease = scene.lease(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease));

        scene.get(other.revoke(lease));
        scene.get(other.revoke(lease));
        scene.get(one.revoke(lease));

        assertIsDead(lease);
    }

    @Test
    @Tag("realtime")
    final void revokingALeaseThatDiedIsDone() {
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        scene.letDie(other, election, lease);

        scene.get(one.revoke(lease.id()));

        assertIsDead(lease.id());
    }

    @Test
    final void aLeaseThatWasNeverGrantedIsDead() {
        LeaseId never = new LeaseId("never-granted");
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", never));

        assertIsDead(never);
    }

    @Test
    final void noIdIsGrantedTwice() {
        Set<LeaseId> ids = new HashSet<>();

        for (int i = 0; i < 50; i++) {
            LeaseId mine = scene.lease(one);
            LeaseId theirs = scene.lease(other);
            scene.get(one.revoke(mine));

            assertThat(ids.add(mine)).isTrue();
            assertThat(ids.add(theirs)).isTrue();
        }
    }

    @Test
    final void theDeathOfOneLeaseLeavesTheOthersAlive() {
        LeaseId lost = scene.lease(one);
        LeaseId kept = scene.lease(one);

        scene.get(one.revoke(lost));

        scene.get(one.keepAlive(kept));
    }

    @Test
    final void aLeaseOutlivesTheConnectionThatItWasGrantedOver() {
        LeaseId lease = scene.lease(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease));

        one.close();

        assertThat(scene.isAlive(other, election)).isTrue();
        scene.get(other.keepAlive(lease));
    }

    @Test
    final void theRemainderOfALeaseIsNoLongerThanTheLease() {
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));

        assertThat(scene.found(other, election).leaseRemaining().stream())
                .allSatisfy(left -> assertThat(left).isPositive().isLessThanOrEqualTo(lease.timeToLive()));
    }

    /** Nobody was told too early that it is dead: the answer counts only where less than the lease has passed. */
    private void assertHoldsUntil(long sinceNanos, GrantedLease lease, CompletionStage<Void> keepAlive) {
        try {
            scene.get(keepAlive);
        } catch (LeaseLostException lost) {
            Duration passed = Duration.ofNanos(rig.timeline().nanos() - sinceNanos);
            assertThat(passed).as("lost after").isGreaterThanOrEqualTo(lease.timeToLive());
        } catch (CoordinatorException unanswered) {
            throw new AssertionError(unanswered);
        }
    }

    private void assertIsDead(LeaseId lease) {
        scene.assertLost(one.keepAlive(lease));
        scene.assertLost(other.keepAlive(lease));
        scene.assertLost(other.enlist(election, scene.enlisted("ada", lease)));
        assertThat(scene.isAlive(one, election)).isFalse();
        assertThat(scene.isAlive(other, election)).isFalse();
    }
}
