package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Closing: releases everything, and leaves nobody waiting. */
abstract class ClosingContract extends Section {
    @Test
    final void closingMayBeRepeatedAndLeavesOtherClientsAlone() {
        one.close();
        one.close();

        scene.swapped(other, election, Revision.ABSENT, scene.vacant(1));
        assertThat(scene.found(other, election).record().term()).isEqualTo(1);
    }

    @Test
    final void aCallOnAClosedClientEndsAndWasNotApplied() {
        LeaseId lease = scene.lease(one);
        one.close();

        CoordinatorException swap = scene.failure(one.swap(election, Revision.ABSENT, scene.vacant(1)));
        CoordinatorException read = scene.failure(one.read(Set.of(election)));
        CoordinatorException keepAlive = scene.failure(one.keepAlive(lease));

        assertThat(swap.mayHaveApplied()).isFalse();
        assertThat(read.mayHaveApplied()).isFalse();
        assertThat(keepAlive.mayHaveApplied()).isFalse();
        assertThat(scene.get(other.elections(scene.prefix()))).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Tag("realtime")
    final void aCallUnderWayEndsWithItsClient(Cut how) {
        needs(how);
        rig.cut(one, how);
        CompletableFuture<Swap> underWay =
                one.swap(election, Revision.ABSENT, scene.vacant(1)).toCompletableFuture();

        one.close();

        assertThat(scene.ended(underWay)).isCompletedExceptionally();
    }

    @Test
    @Tag("realtime")
    final void aClosedClientsWatchesTellNothingMore() {
        RecordedWatcher watcher = new RecordedWatcher();
        assertThat(one.watch(election, watcher)).isNotNull();
        scene.within(rig.requestTimeout(), "the first call", () -> watcher.size() > 0);

        one.close();
        rig.passTime(rig.requestTimeout());
        int heard = watcher.size();
        scene.swapped(other, election, Revision.ABSENT, scene.vacant(1));
        rig.passTime(rig.requestTimeout().multipliedBy(3));

        assertThat(watcher.size()).isEqualTo(heard);
    }

    @Test
    @Tag("realtime")
    final void aWatchOfAClosedClientTellsNothing() {
        one.close();
        RecordedWatcher watcher = new RecordedWatcher();

        one.watch(election, watcher).close();
        rig.passTime(rig.requestTimeout());

        assertThat(watcher.records()).isEmpty();
    }

    /** Threads are known by the group that they inherit, for those of other tests come and go. */
    @Test
    final void aClosedClientLeavesNoThread() {
        useAndClose(rig.connect());
        ThreadGroup group = new ThreadGroup("clients");
        CompletableFuture<Void> used = new CompletableFuture<>();

        Thread user = new Thread(group, () -> useAndCloseMore(used));
        user.start();
        used.join();
        ended(user);

        scene.within(rig.requestTimeout(), "the end of their threads", () -> group.activeCount() == 0);
    }

    /** It counts among its group until its very end, and the rig's time may be one that passes at once. */
    private static void ended(Thread user) {
        try {
            user.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void useAndCloseMore(CompletableFuture<Void> used) {
        try {
            for (int i = 0; i < 5; i++) {
                useAndClose(rig.connect());
            }
            used.complete(null);
        } catch (RuntimeException | Error e) {
            used.completeExceptionally(e);
        }
    }

    private void useAndClose(Coordinator client) {
        RecordedWatcher watcher = new RecordedWatcher();
        assertThat(client.watch(election, watcher)).isNotNull();
        LeaseId lease = scene.lease(client);
        scene.get(client.keepAlive(lease));
        scene.within(rig.requestTimeout(), "the first call", () -> watcher.size() > 0);
        client.close();
    }
}
