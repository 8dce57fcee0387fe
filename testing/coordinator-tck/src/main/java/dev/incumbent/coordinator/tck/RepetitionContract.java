package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Repetitions: a call that is made twice, one after the other or both at once, does what one call does; and of several calls each has an answer of its own. */
abstract class RepetitionContract extends Section {
    private static final int ELECTIONS = 12;
    private static final int CLIENTS = 6;

    /** Hosts that start together meet a store in which nothing was prepared yet; one of them prepares it, and none fails. */
    @Test
    final void clientsThatComeFirstAllAtOnceTakePart() {
        List<Coordinator> clients = new ArrayList<>(List.of(one, other));
        while (clients.size() < CLIENTS) {
            clients.add(rig.connect());
        }

        clients.forEach(this::hold);
        List<CompletionStage<GrantedLease>> grants =
                clients.stream().map(this::grant).toList();
        clients.forEach(this::letGo);

        List<String> names = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            LeaseId lease = scene.get(grants.get(i)).id();
            names.add("candidate" + i);
            scene.get(clients.get(i).enlist(election, scene.enlisted(names.get(i), lease)));
        }
        assertThat(scene.standing(other, election)).isEqualTo(names);
    }

    @Test
    final void whoEnlistsTwiceAtOnceStandsOnce() {
        Enlisted ada = scene.enlisted("ada", scene.lease(one));
        Enlisted bob = scene.enlisted("bob", scene.lease(other));
        scene.get(other.enlist(election, bob));

        holdBoth();
        CompletionStage<Void> first = one.enlist(election, ada);
        CompletionStage<Void> second = one.enlist(election, ada);
        CompletionStage<Void> third = other.enlist(election, ada);
        letGoBoth();

        scene.get(first);
        scene.get(second);
        scene.get(third);
        assertThat(scene.standing(one, election)).containsExactly("bob", "ada");
        assertThat(scene.standing(other, election)).containsExactly("bob", "ada");
    }

    @Test
    final void aWithdrawalMadeTwiceAtOnceTakesOneCandidate() {
        LeaseId lease = scene.lease(one);
        for (String name : List.of("ada", "bob", "carl")) {
            scene.get(one.enlist(election, scene.enlisted(name, lease)));
        }

        holdBoth();
        CompletionStage<Void> first =
                one.withdraw(election, scene.candidate("ada").id());
        CompletionStage<Void> second =
                other.withdraw(election, scene.candidate("ada").id());
        letGoBoth();

        scene.get(first);
        scene.get(second);
        assertThat(scene.standing(other, election)).containsExactly("bob", "carl");
    }

    @Test
    final void withdrawingWhoNeverEnlistedIsDone() {
        scene.get(one.enlist(election, scene.enlisted("ada", scene.lease(one))));

        scene.get(one.withdraw(election, scene.candidate("never").id()));
        scene.get(
                other.withdraw(scene.election("nobody"), scene.candidate("ada").id()));

        assertThat(scene.standing(other, election)).containsExactly("ada");
    }

    @Test
    final void aRevokingMadeTwiceAtOnceIsDoneBothTimes() {
        LeaseId lease = scene.lease(one);
        LeaseId kept = scene.lease(one);

        holdBoth();
        CompletionStage<Void> first = one.revoke(lease);
        CompletionStage<Void> second = one.revoke(lease);
        CompletionStage<Void> third = other.revoke(lease);
        letGoBoth();

        scene.get(first);
        scene.get(second);
        scene.get(third);
        scene.assertLost(one.keepAlive(lease));
        scene.get(one.keepAlive(kept));
    }

    @Test
    final void aLeaseRevokedWhileItIsKeptAliveIsDead() {
        LeaseId lease = scene.lease(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", lease));

        holdBoth();
        CompletionStage<Void> kept = one.keepAlive(lease);
        CompletionStage<Void> revoked = other.revoke(lease);
        letGoBoth();

        scene.get(revoked);
        assertThat(scene.ended(kept)).isDone();
        scene.assertLost(one.keepAlive(lease));
        assertThat(scene.isAlive(other, election)).isFalse();
    }

    @Test
    final void aSwapSentTwiceAtOnceIsAcceptedBothTimes() {
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        LeaderRecord next = scene.vacant(2);

        holdBoth();
        CompletionStage<Swap> first = one.swap(election, current, next);
        CompletionStage<Swap> second = one.swap(election, current, next);
        CompletionStage<Swap> third = other.swap(election, current, next);
        letGoBoth();

        Swap accepted = scene.get(first);
        assertThat(accepted).isInstanceOf(Swap.Accepted.class);
        assertThat(scene.get(second)).isEqualTo(accepted);
        assertThat(scene.get(third)).isEqualTo(accepted);
        assertThat(new Swap.Accepted(scene.found(one, election).revision())).isEqualTo(accepted);
    }

    @Test
    final void ofTwoGrantsAtOnceEachGivesALeaseOfItsOwn() {
        holdBoth();
        CompletionStage<GrantedLease> first = grant(one);
        CompletionStage<GrantedLease> second = grant(one);
        letGoBoth();

        LeaseId revoked = scene.get(first).id();
        LeaseId kept = scene.get(second).id();
        scene.get(one.revoke(revoked));

        scene.get(one.keepAlive(kept));
        scene.assertLost(one.keepAlive(revoked));
    }

    /** A server that ends the connection while a call is held may leave the client without one for the whole time of a call: what had no answer then is asked again. */
    @Tag("realtime")
    @Test
    final void ofTwoKeepAlivesAtOnceOneMayTellThatItsLeaseIsLost() {
        LeaseId kept = scene.lease(one);
        LeaseId lost = scene.lease(one);
        scene.get(other.revoke(lost));

        holdBoth();
        CompletionStage<Void> first = one.keepAlive(lost);
        CompletionStage<Void> second = one.keepAlive(kept);
        CompletionStage<Void> third = one.keepAlive(lost);
        letGoBoth();

        assertAnswered("that the other one is kept", () -> isKept(second) || isKept(one.keepAlive(kept)));
        assertAnswered("that the revoked one is lost", () -> isLost(first) || isLost(one.keepAlive(lost)));
        assertAnswered("that the revoked one is lost", () -> isLost(third) || isLost(one.keepAlive(lost)));
    }

    private void assertAnswered(String what, BooleanSupplier isTold) {
        scene.within(rig.requestTimeout().multipliedBy(3), what, isTold);
    }

    /** False where it had no answer; fails where it was kept. */
    private boolean isLost(CompletionStage<Void> keepAlive) {
        return scene.failure(keepAlive) instanceof LeaseLostException;
    }

    /** False where it had no answer; fails where it was lost. */
    private boolean isKept(CompletionStage<Void> keepAlive) {
        try {
            scene.get(keepAlive);
            return true;
        } catch (LeaseLostException lost) {
            throw lost;
        } catch (CoordinatorException unanswered) {
            return false;
        }
    }

    @Test
    final void readsMadeAtOnceAreEachAnsweredByTheirOwn() {
        LeaseId lease = scene.lease(one);
        Map<ElectionName, LeaderRecord> records = new LinkedHashMap<>();
        for (int i = 1; i <= ELECTIONS; i++) {
            records.put(scene.election("e" + i), i % 2 == 0 ? scene.vacant(i) : scene.claim(i, "leader" + i, lease));
        }
        records.forEach((name, record) -> scene.swapped(one, name, Revision.ABSENT, record));

        holdBoth();
        Map<ElectionName, CompletionStage<Map<ElectionName, Reading>>> reads = new LinkedHashMap<>();
        records.keySet().forEach(name -> reads.put(name, other.read(Set.of(name, election))));
        letGoBoth();

        reads.forEach((name, read) -> {
            Map<ElectionName, Reading> answer = scene.get(read);
            assertThat(answer).containsOnlyKeys(name, election);
            assertThat(answer.get(election)).isInstanceOf(Reading.Absent.class);
            assertThat(answer.get(name)).isInstanceOfSatisfying(Reading.Found.class, it -> {
                assertThat(it.record().record()).isEqualTo(records.get(name));
                assertThat(it.record().leaseAlive())
                        .isEqualTo(it.record().record().leader().isPresent());
            });
        });
    }

    @Test
    final void listsAskedForAtOnceAreEachAnsweredByTheirOwn() {
        LeaseId lease = scene.lease(one);
        List<ElectionName> names = new ArrayList<>();
        for (int i = 1; i <= ELECTIONS; i++) {
            ElectionName name = scene.election("e" + i);
            names.add(name);
            scene.get(one.enlist(name, scene.enlisted("candidate" + i, lease)));
        }

        holdBoth();
        List<CompletionStage<Map<ElectionName, List<Enlisted>>>> lists = names.stream()
                .map(name -> other.candidates(Set.of(name, election)))
                .toList();
        letGoBoth();

        for (int i = 1; i <= ELECTIONS; i++) {
            Map<ElectionName, List<Enlisted>> answer = scene.get(lists.get(i - 1));
            assertThat(answer).containsOnlyKeys(names.get(i - 1), election);
            assertThat(answer.get(election)).isEmpty();
            assertThat(answer.get(names.get(i - 1))).containsExactly(scene.enlisted("candidate" + i, lease));
        }
    }

    /** Where watches share something, its end must not be counted twice for one of them. */
    @Test
    final void aWatchClosedTwiceLeavesTheOthersAlone() {
        RecordedWatcher staying = new RecordedWatcher();
        RecordedWatcher alsoStaying = new RecordedWatcher();
        assertThat(other.watch(election, staying)).isNotNull();
        assertThat(other.watch(election, alsoStaying)).isNotNull();
        Watch closed = other.watch(election, new RecordedWatcher());
        told(staying, Revision.ABSENT);
        told(alsoStaying, Revision.ABSENT);

        closed.close();
        closed.close();
        closed.close();
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));

        told(staying, current);
        told(alsoStaying, current);
    }

    private CompletionStage<GrantedLease> grant(Coordinator client) {
        return client.grant(scene.candidate("owner").id(), rig.lease());
    }

    private void told(RecordedWatcher watcher, Revision revision) {
        scene.within(
                rig.requestTimeout().multipliedBy(3), "the telling of " + revision, () -> watcher.lastIs(revision));
    }

    /** So that calls which follow are under way at once, where the rig has wires. */
    private void holdBoth() {
        hold(one);
        hold(other);
    }

    private void letGoBoth() {
        letGo(one);
        letGo(other);
    }

    private void hold(Coordinator client) {
        if (rig.isWired()) {
            rig.hold(client);
        }
    }

    private void letGo(Coordinator client) {
        if (rig.isWired()) {
            rig.letGo(client);
        }
    }
}
