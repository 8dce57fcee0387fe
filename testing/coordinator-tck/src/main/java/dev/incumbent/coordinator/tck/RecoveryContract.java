package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Recoveries: after a cut, or a restore, everything works as before it, and what failed meanwhile has left its room. */
@Tag("realtime")
abstract class RecoveryContract extends Section {
    private static final int CUTS = 3;
    /** Each kind twice. */
    private static final int MANY_CUTS = 8;
    /** A few messages more or less prove nothing; one poller more for each kind of cut asks three times as much. */
    private static final int FEW = 3;

    private static final int QUIET_TIMEOUTS = 6;
    /** A watch asks for proofs a few times in a request timeout, in a few messages each. */
    private static final int MOST_ASKED_IN_A_TIMEOUT = 20;

    private static final int CALLS_AT_ONCE = 100;
    private static final int KINDS = 5;
    private static final int WATCHES = 100;

    /** Within so many request timeouts a watch of another's election proves that it is current. */
    private static final int TIMEOUTS_UNTIL_A_PROOF = 8;

    @ParameterizedTest
    @EnumSource
    final void afterEachOfSeveralCutsAWatchHearsTheNextChange(Cut how) {
        needs(how);
        RecordedWatcher watcher = watch(other);
        Revision current = Revision.ABSENT;
        told(watcher, current);

        for (int cut = 1; cut <= CUTS; cut++) {
            cutUntilToldAsAGap(watcher, how);
            rig.heal(other);

            current = scene.swapped(one, election, current, scene.vacant(cut));
            told(watcher, current);
        }
    }

    @ParameterizedTest
    @EnumSource
    final void afterEachOfSeveralCutsAWatchProvesItsCurrencyAgain(Cut how) {
        needs(how);
        needsProofs();
        RecordedWatcher watcher = watch(other);
        told(watcher, Revision.ABSENT);

        for (int cut = 1; cut <= CUTS; cut++) {
            cutUntilToldAsAGap(watcher, how);
            rig.heal(other);

            provedAfter(watcher, rig.timeline().nanos());
        }
    }

    @ParameterizedTest
    @EnumSource
    final void noProofComesBeforeTheChangeThatACutWatchHasMissed(Cut how) {
        needs(how);
        needsProofs();
        Revision first = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        RecordedWatcher watcher = watch(other);
        told(watcher, first);

        cutUntilToldAsAGap(watcher, how);
        Revision missed = scene.swapped(one, election, first, scene.vacant(2));
        long acknowledged = rig.timeline().nanos();
        rig.heal(other);

        provedAfter(watcher, acknowledged);
        assertThat(toldBeforeTheProofAfter(watcher, acknowledged)).isEqualTo(missed);
    }

    @Test
    final void afterARestoreAWatchHearsTheNextChange() {
        needs(Ability.RESTORE);
        Revision older = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        RecordedWatcher watcher = restoredFrom(older);

        Coordinator afterwards = rig.connect();
        Revision next = scene.swapped(afterwards, election, older, scene.vacant(7));

        told(watcher, next);
    }

    /** A gap has every watcher read. Until the store answers again, each attempt may tell one; one more may be on its way when the next change is told. */
    @Test
    @Tag("realtime")
    final void aRestoreIsNotToldAgainAndAgain() {
        needs(Ability.RESTORE);
        Revision older = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        RecordedWatcher watcher = restoredFrom(older);
        Coordinator afterwards = rig.connect();
        told(watcher, scene.swapped(afterwards, election, older, scene.vacant(7)));
        int heard = watcher.size();

        rig.passTime(rig.requestTimeout().multipliedBy(TIMEOUTS_UNTIL_A_PROOF));

        assertThat(watcher.heard().stream().skip(heard).filter(RecordedWatcher.Heard::isGap))
                .hasSizeLessThanOrEqualTo(1);
    }

    /** What was opened for a watch before a cut does not go on beside what took its place. */
    @Test
    final void afterManyCutsAWatchAsksItsStoreNoMoreOftenThanBefore() {
        needsWires();
        Revision current = Revision.ABSENT;
        RecordedWatcher watcher = watch(other);
        told(watcher, current);
        long before = askedInQuiet(watcher);
        int connections = rig.connections(other);

        List<Cut> cuts = List.of(Cut.values());
        for (int cut = 1; cut <= MANY_CUTS; cut++) {
            cutUntilToldAsAGap(watcher, cuts.get(cut % cuts.size()));
            rig.heal(other);
            current = scene.swapped(one, election, current, scene.vacant(cut));
            told(watcher, current);
        }

        assertThat(askedInQuiet(watcher)).isLessThanOrEqualTo(2 * before + FEW);
        assertThat(rig.connections(other)).isLessThanOrEqualTo(connections + FEW);
    }

    /** How many messages its client sends while nothing happens and nothing is told, once what was under way has ended. */
    private long askedInQuiet(RecordedWatcher watcher) {
        rig.passTime(rig.requestTimeout().multipliedBy(2));
        int heard = watcher.size();
        long before = rig.requests(other);

        rig.passTime(rig.requestTimeout().multipliedBy(QUIET_TIMEOUTS));

        long asked = rig.requests(other) - before;
        assertThat(watcher.heard().stream().skip(heard))
                .as("a quiet store has no changes and no gaps")
                .allMatch(RecordedWatcher.Heard::isProof);
        assertThat(asked).isLessThanOrEqualTo(QUIET_TIMEOUTS * MOST_ASKED_IN_A_TIMEOUT);
        return asked;
    }

    @Test
    final void noProofAfterARestoreIsOfTheStateBeforeIt() {
        needs(Ability.RESTORE);
        needsProofs();
        Revision older = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        RecordedWatcher watcher = restoredFrom(older);
        long restored = rig.timeline().nanos();

        provedAfter(watcher, restored);

        assertThat(toldBeforeTheProofAfter(watcher, restored)).isEqualTo(older);
    }

    @ParameterizedTest
    @EnumSource
    final void aWatchOpenedWhileCutOffTellsThePresentStateOnceHealed(Cut how) {
        needs(how);
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        rig.cut(other, how);
        RecordedWatcher watcher = watch(other);
        rig.passTime(rig.requestTimeout().multipliedBy(2));

        rig.heal(other);

        told(watcher, current);
        told(watcher, scene.swapped(one, election, current, scene.vacant(2)));
    }

    @ParameterizedTest
    @EnumSource
    final void callsThatFailedLeaveTheirRoomToOthers(Cut how) {
        needs(how);
        LeaseId lease = scene.lease(one);

        for (int cut = 1; cut <= CUTS; cut++) {
            rig.cut(one, how);
            List<CompletionStage<?>> failing = new ArrayList<>();
            for (int i = 0; i < CALLS_AT_ONCE; i++) {
                failing.add(call(one, i, lease));
            }
            scene.within(
                    rig.requestTimeout(),
                    "the end of " + CALLS_AT_ONCE + " calls",
                    () -> failing.stream().allMatch(RecoveryContract::hasEnded));
            rig.heal(one);
            scene.answersAgain(one);
        }

        LeaseId fresh = scene.lease(other);
        for (int kind = 0; kind < KINDS; kind++) {
            int which = CALLS_AT_ONCE + kind;
            scene.answersAgain(() -> call(one, which, fresh));
        }
    }

    @ParameterizedTest
    @EnumSource
    final void watchesClosedWhileCutOffLeaveTheirRoomToOthers(Cut how) {
        needs(how);
        rig.cut(other, how);
        for (int i = 0; i < WATCHES; i++) {
            Watch watch = other.watch(scene.election("e" + i), new RecordedWatcher());
            watch.close();
        }
        rig.passTime(rig.requestTimeout());
        rig.heal(other);
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));

        RecordedWatcher watcher = watch(other);

        told(watcher, current);
        told(watcher, scene.swapped(one, election, current, scene.vacant(2)));
    }

    private CompletionStage<?> call(Coordinator client, int which, LeaseId lease) {
        ElectionName name = scene.election("calls/" + which);
        return switch (which % KINDS) {
            case 0 -> client.read(Set.of(name));
            case 1 -> client.swap(name, Revision.ABSENT, scene.vacant(1));
            case 2 -> client.candidates(Set.of(name));
            case 3 -> client.elections(name.value());
            default -> client.enlist(name, scene.enlisted("ada", lease));
        };
    }

    private static boolean hasEnded(CompletionStage<?> call) {
        CompletableFuture<?> asked = call.toCompletableFuture();
        return asked.isDone();
    }

    /** A watch that was told the newer state of a store, and then that something may have been missed, since the store went back. */
    private RecordedWatcher restoredFrom(Revision older) {
        rig.backUp();
        Revision newer = scene.swapped(one, election, older, scene.vacant(2));
        RecordedWatcher watcher = watch(other);
        told(watcher, newer);
        int heard = watcher.size();
        rig.restore();
        scene.within(poll(), "a gap", () -> watcher.heardGapAfter(heard));
        return watcher;
    }

    private void cutUntilToldAsAGap(RecordedWatcher watcher, Cut how) {
        int heard = watcher.size();
        rig.cut(other, how);
        scene.within(poll(), "a gap", () -> watcher.heardGapAfter(heard));
    }

    private void provedAfter(RecordedWatcher watcher, long nanos) {
        scene.within(
                rig.requestTimeout().multipliedBy(TIMEOUTS_UNTIL_A_PROOF).plus(poll()),
                "a proof",
                () -> watcher.heard().stream().anyMatch(heard -> isProofAfter(heard, nanos)));
    }

    private static Revision toldBeforeTheProofAfter(RecordedWatcher watcher, long nanos) {
        Revision told = Revision.ABSENT;
        for (RecordedWatcher.Heard heard : watcher.heard()) {
            if (isProofAfter(heard, nanos)) {
                return told;
            }
            Revision before = told;
            told = heard.record().map(record -> record.revision()).orElse(before);
        }
        return told;
    }

    private static boolean isProofAfter(RecordedWatcher.Heard heard, long nanos) {
        return heard.isProof() && heard.currentAsOf() - nanos > 0;
    }

    private void needsProofs() {
        assumeTrue(other.capabilities().provesCurrency(), "this store's watches prove nothing");
    }

    private RecordedWatcher watch(Coordinator client) {
        RecordedWatcher watcher = new RecordedWatcher();
        assertThat(client.watch(election, watcher)).isNotNull();
        return watcher;
    }

    private void told(RecordedWatcher watcher, Revision revision) {
        scene.within(poll(), "the telling of " + revision, () -> watcher.lastIs(revision));
    }

    private Duration poll() {
        return rig.requestTimeout().multipliedBy(3);
    }
}
