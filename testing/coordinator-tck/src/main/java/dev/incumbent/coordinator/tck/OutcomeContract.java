package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Outcomes: every call ends in time, and what is uncertain is told as uncertain. */
@Tag("realtime")
abstract class OutcomeContract extends Section {
    /** A busy server takes in late what came late. */
    private static final int PATIENCE = 10;

    @ParameterizedTest
    @EnumSource
    final void everyCallEndsWithinTheRequestTimeoutAlsoWhenCutOff(Cut how) {
        needs(how);
        LeaseId lease = scene.lease(one);
        rig.cut(one, how);

        Map<String, CompletionStage<?>> calls = callsOf(one, lease);
        scene.within(
                rig.requestTimeout(),
                "the end of all calls",
                () -> calls.values().stream()
                        .allMatch(call -> call.toCompletableFuture().isDone()));
    }

    @ParameterizedTest
    @EnumSource
    final void aLateAnswerDoesNotChangeHowACallEnded(Cut how) {
        needs(how);
        rig.cut(one, how);
        CompletableFuture<Swap> swap = scene.ended(one.swap(election, Revision.ABSENT, scene.vacant(1)));
        boolean failed = swap.isCompletedExceptionally();

        rig.heal(one);
        settle();

        assertThat(swap.isCompletedExceptionally()).isEqualTo(failed);
    }

    @Test
    final void aSwapWhoseAnswerIsLostMayHaveApplied() {
        needs(Cut.MUTE);
        assumeTrue(rig.swapsByOneMessage(), "a swap of this store is several messages");
        LeaderRecord next = scene.vacant(1);
        rig.cut(one, Cut.MUTE);

        CoordinatorException uncertain = scene.failure(one.swap(election, Revision.ABSENT, next));

        assertThat(uncertain.mayHaveApplied()).isTrue();
        assertThat(scene.found(other, election).record()).isEqualTo(next);
    }

    @Test
    final void aSwapThatArrivesAfterItsTimeMayHaveApplied() {
        needs(Cut.DELAYED);
        assumeTrue(rig.swapsByOneMessage(), "a swap of this store is several messages");
        LeaderRecord next = scene.vacant(1);
        rig.cut(one, Cut.DELAYED);
        CoordinatorException uncertain = scene.failure(one.swap(election, Revision.ABSENT, next));
        assertThat(scene.reading(other, election)).isInstanceOf(Reading.Absent.class);

        rig.heal(one);
        settle();
        for (int i = 0; i < PATIENCE && scene.reading(other, election) instanceof Reading.Absent; i++) {
            settle();
        }

        assertThat(uncertain.mayHaveApplied()).isTrue();
        assertThat(scene.found(other, election).record()).isEqualTo(next);
    }

    @ParameterizedTest
    @EnumSource
    final void aSwapToldAsNotAppliedIsNeverApplied(Cut how) {
        needs(how);
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        LeaderRecord next = scene.vacant(2);
        rig.cut(one, how);

        CompletableFuture<Swap> swap = scene.ended(one.swap(election, current, next));
        rig.heal(one);
        settle();

        boolean applied = scene.found(other, election).record().equals(next);
        boolean toldAsApplied = !swap.isCompletedExceptionally() && swap.join() instanceof Swap.Accepted;
        boolean toldAsUncertain = swap.isCompletedExceptionally() && mayHaveApplied(swap);
        assertThat(toldAsApplied || toldAsUncertain || !applied).isTrue();
        assertThat(applied || !toldAsApplied).isTrue();
    }

    @Test
    final void whatWasLostOnTheWayIsNotSentAgain() {
        needs(Cut.SILENT);
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        LeaseId lease = scene.lease(one);
        rig.cut(one, Cut.SILENT);
        scene.failure(one.swap(election, current, scene.vacant(2)));
        scene.failure(one.enlist(election, scene.enlisted("ada", lease)));

        rig.heal(one);
        settle();

        assertThat(scene.found(other, election).revision()).isEqualTo(current);
        assertThat(scene.standing(other, election)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    final void aKeepAliveWithoutAnAnswerDoesNotTellThatTheLeaseIsLost(Cut how) {
        needs(how);
        LeaseId lease = scene.lease(one);
        rig.cut(one, how);

        CoordinatorException unanswered = scene.failure(one.keepAlive(lease));

        assertThat(unanswered).isNotInstanceOf(LeaseLostException.class);
        scene.within(rig.requestTimeout(), "a keep-alive by another client", () -> scene.isKept(other, lease));
    }

    @ParameterizedTest
    @EnumSource
    final void aReadWithoutAnAnswerSaysNothingAboutTheRecord(Cut how) {
        needs(how);
        scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        rig.cut(one, how);

        CompletableFuture<Map<ElectionName, Reading>> read = scene.ended(one.read(Set.of(election)));

        assertThat(read.isCompletedExceptionally() || read.join().get(election) instanceof Reading.Unread)
                .isTrue();
    }

    @ParameterizedTest
    @EnumSource
    final void aClientThatWasCutOffWorksAgainOnceHealed(Cut how) {
        needs(how);
        LeaseId lease = scene.lease(one);
        rig.cut(one, how);
        callsOf(one, lease)
                .forEach((name, call) -> assertThat(scene.ended(call)).isDone());

        rig.heal(one);

        scene.answersAgain(one);
        ElectionName fresh = scene.election("fresh");
        Revision current = scene.swapped(one, fresh, Revision.ABSENT, scene.vacant(1));
        assertThat(scene.found(other, fresh).revision()).isEqualTo(current);
    }

    private Map<String, CompletionStage<?>> callsOf(Coordinator client, LeaseId lease) {
        ElectionName name = scene.election("calls");
        Map<String, CompletionStage<?>> calls = new LinkedHashMap<>();
        calls.put("grant", client.grant(scene.candidate("ada").id(), rig.lease()));
        calls.put("keepAlive", client.keepAlive(lease));
        calls.put("read", client.read(Set.of(name)));
        calls.put("swap", client.swap(name, Revision.ABSENT, scene.vacant(1)));
        calls.put("enlist", client.enlist(name, scene.enlisted("ada", lease)));
        calls.put("withdraw", client.withdraw(name, scene.candidate("ada").id()));
        calls.put("candidates", client.candidates(Set.of(name)));
        calls.put("elections", client.elections(""));
        calls.put("clock", client.clock());
        calls.put("revoke", client.revoke(lease));
        return calls;
    }

    private void settle() {
        rig.passTime(rig.requestTimeout().multipliedBy(3));
    }

    private static boolean mayHaveApplied(CompletableFuture<?> ended) {
        return ended.handle((value, failure) -> failure instanceof CoordinatorException known && known.mayHaveApplied())
                .join();
    }
}
