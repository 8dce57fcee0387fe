package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dates: what a call tells is as old as its own request, however late its answer comes. */
@Tag("realtime")
abstract class DateContract extends Section {
    /** It changes all the while until so many proofs were heard. */
    private static final int PROOFS = 4;

    @Test
    final void aReadIsNotAnsweredByAnEarlierOnesAnswer() {
        Revision first = scene.swapped(other, election, Revision.ABSENT, scene.vacant(1));

        CompletionStage<Map<ElectionName, Reading>> early = answeredLate(() -> one.read(Set.of(election)));
        Revision second = scene.swapped(other, election, first, scene.vacant(2));
        Reading late = scene.reading(one, election);

        assertThat(late)
                .isInstanceOfSatisfying(
                        Reading.Found.class,
                        it -> assertThat(it.record().revision()).isEqualTo(second));
        assertThat(scene.get(early).get(election)).isInstanceOf(Reading.Found.class);
    }

    @Test
    final void aListOfCandidatesIsNotAnEarlierOnes() {
        LeaseId lease = scene.lease(other);
        scene.get(other.enlist(election, scene.enlisted("ada", lease)));

        var early = answeredLate(() -> one.candidates(Set.of(election)));
        scene.get(other.enlist(election, scene.enlisted("bob", lease)));
        List<String> late = scene.standing(one, election);

        assertThat(late).containsExactly("ada", "bob");
        assertThat(scene.get(early)).containsOnlyKeys(election);
    }

    /** Its caller counts from its call: another request's arrival proves nothing for it. */
    @Test
    final void aKeepAliveIsNotAnsweredBeforeItsOwnRequestReachedTheStore() {
        needsWires();
        LeaseId lease = scene.lease(one);

        CompletionStage<Void> early = answeredLate(() -> one.keepAlive(lease));
        rig.hold(one);
        CompletableFuture<Void> late = one.keepAlive(lease).toCompletableFuture();
        rig.passTime(delay().multipliedBy(3));
        boolean answered = late.isDone();
        rig.letGo(one);

        assertThat(answered).as("answered while its request was held").isFalse();
        scene.get(late);
        assertThat(scene.ended(early)).isDone();
    }

    /** Whatever was written and acknowledged before the instant of a proof was told before that proof. */
    @Test
    final void aProofIsNoYoungerThanWhatWasTold() {
        assumeTrue(other.capabilities().provesCurrency(), "this store's watches prove nothing");
        RecordedWatcher watcher = new RecordedWatcher();
        assertThat(other.watch(election, watcher)).isNotNull();
        scene.within(
                rig.requestTimeout(), "the first proof", () -> !proofs(watcher).isEmpty());
        slowAnswersTo(other);

        List<Long> acknowledged = new ArrayList<>();
        Revision current = Revision.ABSENT;
        int enough = proofs(watcher).size() + PROOFS;
        long end = rig.timeline().nanos()
                + rig.requestTimeout().multipliedBy(PROOFS).toNanos();
        while (proofs(watcher).size() < enough && rig.timeline().nanos() - end < 0) {
            current = scene.swapped(one, election, current, scene.vacant(acknowledged.size() + 1));
            acknowledged.add(rig.timeline().nanos());
            rig.passTime(delay().dividedBy(2));
        }
        long last = acknowledged.get(acknowledged.size() - 1);
        scene.within(
                rig.requestTimeout().multipliedBy(3),
                "a later proof",
                () -> proofs(watcher).stream().anyMatch(proof -> proof - last > 0));

        assertToldBeforeProved(watcher, acknowledged);
    }

    private static void assertToldBeforeProved(RecordedWatcher watcher, List<Long> acknowledged) {
        long told = 0;
        for (RecordedWatcher.Heard heard : watcher.heard()) {
            told = heard.record().map(it -> it.record().term()).orElse(told);
            if (heard.isProof()) {
                long written = acknowledged.stream()
                        .filter(at -> at - heard.currentAsOf() < 0)
                        .count();
                assertThat(told).as("the term told before a proof").isGreaterThanOrEqualTo(written);
            }
        }
    }

    private static List<Long> proofs(RecordedWatcher watcher) {
        return watcher.heard().stream()
                .filter(RecordedWatcher.Heard::isProof)
                .map(RecordedWatcher.Heard::currentAsOf)
                .toList();
    }

    /** Asks with an answer that will come late, and waits until the question has surely arrived. */
    private <T> CompletionStage<T> answeredLate(Supplier<CompletionStage<T>> call) {
        askTwiceAtOnce(call);
        slowAnswersTo(one);
        CompletionStage<T> stage = call.get();
        rig.passTime(delay().dividedBy(4));
        return stage;
    }

    /** So that both have their connections before answers are slow: the first is held, or it might end before the second needs one of its own. */
    private <T> void askTwiceAtOnce(Supplier<CompletionStage<T>> call) {
        holdIfWired(one);
        CompletionStage<T> first = call.get();
        CompletionStage<T> second = call.get();
        rig.passTime(delay().dividedBy(2));
        if (rig.isWired()) {
            rig.letGo(one);
        }
        scene.get(first);
        scene.get(second);
    }

    private void slowAnswersTo(Coordinator client) {
        if (rig.isWired()) {
            rig.slowAnswers(client, delay());
        }
    }

    /** A call of two questions and answers still ends in time, also where the wire takes twice as long for a while. */
    private Duration delay() {
        return rig.requestTimeout().dividedBy(8);
    }

    private void holdIfWired(Coordinator client) {
        if (rig.isWired()) {
            rig.hold(client);
        }
    }
}
