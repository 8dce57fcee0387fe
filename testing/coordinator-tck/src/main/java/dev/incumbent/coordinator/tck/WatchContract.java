package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Watches: may skip, never go back, and never end in silence. */
abstract class WatchContract extends Section {
    private static final int CHANGES = 8;

    @Test
    final void aWatchFirstTellsThePresentState() {
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.claim(3, "ada", scene.lease(one)));

        RecordedWatcher watcher = watch(other);

        told(watcher, current);
        assertThat(watcher.records().get(0).leaseAlive()).isTrue();
    }

    @Test
    final void aWatchOfAnElectionThatWasNeverWrittenTellsThat() {
        RecordedWatcher watcher = watch(other);

        scene.within(Duration.ZERO, "the first call", () -> watcher.last().isPresent());

        assertThat(watcher.records()).containsOnly(ObservedRecord.ABSENT);
    }

    @Test
    final void aChangeIsToldToEveryWatcherItsAuthorIncluded() {
        RecordedWatcher mine = watch(one);
        RecordedWatcher theirs = watch(other);
        RecordedWatcher second = watch(other);

        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));

        told(mine, current);
        told(theirs, current);
        told(second, current);
    }

    @Test
    final void aWatchTellsOfItsOwnElectionAlone() {
        ElectionName beneath = scene.election("closer/beneath");
        LeaseId mine = scene.lease(one);
        LeaseId theirs = scene.lease(one);
        RecordedWatcher here = watch(other);
        RecordedWatcher there = new RecordedWatcher();
        assertThat(other.watch(beneath, there)).isNotNull();

        Revision first = scene.swapped(one, election, Revision.ABSENT, scene.claim(3, "ada", mine));
        Revision second = scene.swapped(one, beneath, Revision.ABSENT, scene.claim(5, "bob", theirs));
        told(here, first);
        told(there, second);
        scene.get(one.revoke(theirs));
        toldDead(there, poll());
        Revision last = scene.swapped(one, election, first, scene.claim(4, "carl", mine));
        told(here, last);

        assertThat(revisions(here)).isSubsetOf(Revision.ABSENT, first, last);
        assertThat(revisions(there)).isSubsetOf(Revision.ABSENT, second);
    }

    @Test
    @Tag("realtime")
    final void theDeathOfALeaseIsToldWithoutAnybodysAsking() {
        GrantedLease lease = scene.grant(one);
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        RecordedWatcher watcher = watch(other);
        told(watcher, current);

        rig.passTime(lease.timeToLive());

        toldDead(watcher, observedFor(lease).plus(other.capabilities().expiryLag()));
        assertThat(watcher.lastIs(current)).isTrue();
        scene.assertLost(one.keepAlive(lease.id()));
    }

    @Test
    @Tag("realtime")
    final void aLeaseKeptAliveIsNotToldDead() {
        GrantedLease lease = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease.id()));
        RecordedWatcher watcher = watch(other);
        long end = rig.timeline().nanos() + lease.timeToLive().multipliedBy(2).toNanos();

        boolean wasInTime = true;
        while (rig.timeline().nanos() - end < 0) {
            long sent = rig.timeline().nanos();
            rig.passTime(part(lease.timeToLive(), 0.3));
            assertThat(scene.ended(one.keepAlive(lease.id()))).isDone();
            wasInTime &= rig.timeline().nanos() - sent < lease.timeToLive().toNanos();
        }

        assertThat(watcher.records()).allMatch(wasInTime ? ObservedRecord::leaseAlive : record -> true);
    }

    @Test
    final void theRevokingOfALeaseIsTold() {
        LeaseId lease = scene.lease(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease));
        RecordedWatcher watcher = watch(other);

        scene.get(one.revoke(lease));

        toldDead(watcher, poll());
    }

    @Test
    final void aWatchNeverGoesBackAndEndsAtTheLastState() {
        RecordedWatcher mine = watch(one);
        RecordedWatcher theirs = watch(other);
        Revision current = Revision.ABSENT;

        for (int term = 1; term <= 50; term++) {
            current = scene.swapped(term % 3 == 0 ? one : other, election, current, scene.vacant(term));
        }

        for (RecordedWatcher watcher : List.of(mine, theirs)) {
            told(watcher, current);
            assertThat(watcher.records())
                    .extracting(record -> record.record().term())
                    .isSorted();
            assertThat(watcher.overlapped()).isFalse();
        }
    }

    /** A gap has every watcher read: where nothing was missed, none is told. */
    @Test
    final void changesAreToldWithoutAGap() {
        RecordedWatcher mine = watch(one);
        RecordedWatcher theirs = watch(other);
        Revision current = Revision.ABSENT;
        told(mine, current);
        told(theirs, current);

        for (int term = 1; term <= CHANGES; term++) {
            current = scene.swapped(term % 2 == 0 ? one : other, election, current, scene.vacant(term));
            told(mine, current);
            told(theirs, current);
        }

        assertThat(mine.heardGapAfter(0)).isFalse();
        assertThat(theirs.heardGapAfter(0)).isFalse();
    }

    @Test
    @Tag("realtime")
    final void aClosedWatchTellsNothingMore() {
        RecordedWatcher watcher = new RecordedWatcher();
        Watch watch = other.watch(election, watcher);
        told(watcher, Revision.ABSENT);

        watch.close();
        watch.close();
        rig.passTime(poll());
        int heard = watcher.size();
        scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        rig.passTime(poll().multipliedBy(2));

        assertThat(watcher.size()).isEqualTo(heard);
    }

    @Test
    final void aWatcherThatThrowsIsNotToldLessAndDisturbsNobody() {
        RecordedWatcher throwing = new RecordedWatcher();
        Watch thrown = other.watch(election, new Throwing(throwing));
        RecordedWatcher beside = watch(other);
        told(throwing, Revision.ABSENT);
        told(beside, Revision.ABSENT);

        Revision first = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        told(throwing, first);
        told(beside, first);
        Revision second = scene.swapped(one, election, first, scene.vacant(2));

        told(throwing, second);
        told(beside, second);
        thrown.close();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("realtime")
    final void whatHappenedWhileAWatchWasCutOffIsToldOrIsAGap(Cut how) {
        needs(how);
        Revision first = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        RecordedWatcher watcher = watch(other);
        told(watcher, first);

        rig.cut(other, how);
        Revision missed = scene.swapped(one, election, first, scene.vacant(2));
        rig.passTime(poll().multipliedBy(2));
        int heard = watcher.size();
        rig.heal(other);

        scene.within(
                poll(), "the missed change, or a gap", () -> watcher.lastIs(missed) || watcher.heardGapAfter(heard));
        Revision next = scene.swapped(one, election, missed, scene.vacant(3));
        told(watcher, next);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("realtime")
    final void aWatchThatIsCutOffTellsAGap(Cut how) {
        needs(how);
        RecordedWatcher watcher = watch(other);
        told(watcher, Revision.ABSENT);

        rig.cut(other, how);

        scene.within(poll(), "a gap", () -> watcher.heardGapAfter(1));
    }

    @Test
    @Tag("realtime")
    final void aRestoredStoreIsToldAsAGapBeforeAnythingOlder() {
        needs(Ability.RESTORE);
        Revision older = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        rig.backUp();
        Revision newer = scene.swapped(one, election, older, scene.vacant(2));
        RecordedWatcher watcher = watch(other);
        told(watcher, newer);
        int heard = watcher.size();

        rig.restore();

        scene.within(poll(), "a gap", () -> watcher.heardGapAfter(heard));
        assertThat(watcher.heard().stream()
                        .skip(heard)
                        .takeWhile(one -> !one.isGap())
                        .flatMap(one -> one.record().stream()))
                .noneMatch(record -> record.revision().equals(older));
    }

    @ParameterizedTest
    @EnumSource
    @Tag("realtime")
    final void aProofOfCurrencyIsNoYoungerThanTheCutAndGrowsWithoutOne(Cut how) {
        needs(how);
        RecordedWatcher watcher = watch(other);
        if (!other.capabilities().provesCurrency()) {
            rig.passTime(poll());
            assertThat(proofs(watcher)).isEmpty();
            return;
        }
        long asked = rig.timeline().nanos();
        scene.within(poll(), "a proof", () -> proofs(watcher).stream().anyMatch(proof -> proof - asked > 0));

        rig.cut(other, how);
        long cut = rig.timeline().nanos();
        rig.passTime(poll().multipliedBy(2));

        assertThat(proofs(watcher)).allMatch(proof -> proof - cut <= 0);
    }

    @Test
    final void anUnreadableRecordIsToldAsAGap() {
        needs(Ability.PLANT_UNREADABLE);
        scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        RecordedWatcher watcher = watch(other);
        scene.within(Duration.ZERO, "the first call", () -> watcher.last().isPresent());

        rig.plantUnreadable(election);

        scene.within(poll(), "a gap", () -> watcher.heardGapAfter(0));
    }

    /** Hears all, and fails at each call. */
    private record Throwing(RecordedWatcher hearing) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            hearing.changed(record);
            throw new Thrown();
        }

        @Override
        public void gap() {
            hearing.gap();
            throw new Thrown();
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            hearing.currentAsOf(sentAtNanos);
            throw new Thrown();
        }
    }

    /** Told where uncaught exceptions are, in a line. */
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Thrown() {
            super("thrown by a watcher, as the contract's test wants it", null, false, false);
        }
    }

    private RecordedWatcher watch(Coordinator client) {
        RecordedWatcher watcher = new RecordedWatcher();
        assertThat(client.watch(election, watcher)).isNotNull();
        return watcher;
    }

    private void told(RecordedWatcher watcher, Revision revision) {
        scene.within(poll(), "the telling of " + revision, () -> watcher.lastIs(revision));
    }

    private void toldDead(RecordedWatcher watcher, Duration bound) {
        scene.within(
                bound,
                "the telling of a death",
                () -> watcher.last().filter(record -> !record.leaseAlive()).isPresent());
    }

    private Duration observedFor(GrantedLease lease) {
        boolean countsItself =
                other.capabilities().expiryJudgedBy() == dev.incumbent.coordinator.Capabilities.ExpiryClock.OBSERVER;
        return countsItself ? lease.timeToLive() : Duration.ZERO;
    }

    /** Within which a watch looks again of itself, where it must. */
    private Duration poll() {
        return rig.requestTimeout().multipliedBy(3);
    }

    private static List<Revision> revisions(RecordedWatcher watcher) {
        return watcher.records().stream().map(ObservedRecord::revision).toList();
    }

    private static List<Long> proofs(RecordedWatcher watcher) {
        return watcher.heard().stream()
                .filter(RecordedWatcher.Heard::isProof)
                .map(RecordedWatcher.Heard::currentAsOf)
                .toList();
    }
}
