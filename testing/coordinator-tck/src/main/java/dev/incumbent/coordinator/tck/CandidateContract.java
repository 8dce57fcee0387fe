package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Candidates: in the order of enlisting, for as long as their leases live. */
abstract class CandidateContract extends Section {
    @Test
    final void candidatesStandInTheOrderOfTheirEnlisting() {
        LeaseId mine = scene.lease(one);
        LeaseId theirs = scene.lease(other);

        for (String name : List.of("dan", "ada", "carl", "bob")) {
            boolean isMine = name.compareTo("c") < 0;
            scene.get((isMine ? one : other).enlist(election, scene.enlisted(name, isMine ? mine : theirs)));
        }

        assertThat(scene.standing(one, election)).containsExactly("dan", "ada", "carl", "bob");
        assertThat(scene.standing(other, election)).containsExactly("dan", "ada", "carl", "bob");
    }

    @Test
    final void whoEnlistsAgainKeepsItsPlaceAndIsUpdated() {
        LeaseId lease = scene.lease(one);
        enlist("ada", lease);
        enlist("bob", lease);
        Candidate moved = new Candidate(scene.candidate("ada").id(), "ada", "http://h2:81");
        Enlisted update =
                new Enlisted(moved, lease, Scene.NOON.plusSeconds(5), Set.of(new SinkId("s1"), new SinkId("s2")));

        scene.get(one.enlist(election, update));

        assertThat(listed(election)).containsExactly(update, scene.enlisted("bob", lease));
    }

    /** As of a process that was restarted before its old lease has ended. */
    @Test
    final void candidatesOfOneNameStandEachOnItsOwn() {
        LeaseId mine = scene.lease(one);
        LeaseId theirs = scene.lease(other);
        Enlisted first = namesake("r1", mine);
        Enlisted second = namesake("r2", theirs);
        Enlisted inCapitals = namesake("R2", theirs);
        for (Enlisted each : List.of(first, second, inCapitals)) {
            scene.get(one.enlist(election, each));
        }
        assertThat(listed(election)).containsExactly(first, second, inCapitals);

        scene.get(other.withdraw(election, inCapitals.candidate().id()));
        assertThat(listed(election)).containsExactly(first, second);
        scene.get(one.revoke(mine));

        assertThat(listed(election)).containsExactly(second);
    }

    @Test
    final void whoWithdrawsAndEnlistsAgainGoesToTheEnd() {
        LeaseId lease = scene.lease(one);
        enlist("ada", lease);
        enlist("bob", lease);

        withdraw("ada");
        withdraw("ada");
        assertThat(scene.standing(other, election)).containsExactly("bob");
        enlist("ada", lease);

        assertThat(scene.standing(other, election)).containsExactly("bob", "ada");
    }

    @Test
    @Tag("realtime")
    final void aCandidateIsGoneWithItsLease() {
        GrantedLease dying = scene.grant(one);
        scene.swapped(one, election, Revision.ABSENT, scene.claim(1, "ada", dying.id()));
        LeaseId revoked = scene.lease(other);
        enlist("ada", dying.id());
        enlist("bob", revoked);

        scene.get(one.revoke(revoked));
        assertThat(scene.standing(other, election)).containsExactly("ada");
        scene.letDie(other, election, dying);

        assertThat(scene.standing(other, election)).isEmpty();
    }

    @Test
    final void whoseLeaseDiedEnlistsAgainAtTheEnd() {
        LeaseId dead = scene.lease(one);
        LeaseId lease = scene.lease(one);
        enlist("ada", dead);
        enlist("bob", lease);
        scene.get(one.revoke(dead));

        enlist("ada", lease);

        assertThat(scene.standing(other, election)).containsExactly("bob", "ada");
    }

    @Test
    final void whoEnlistsAgainUnderAnotherLeaseLivesWithThatOne() {
        LeaseId old = scene.lease(one);
        LeaseId next = scene.lease(one);
        enlist("ada", old);
        enlist("bob", next);

        enlist("ada", next);
        scene.get(one.revoke(old));

        assertThat(scene.standing(other, election)).containsExactly("ada", "bob");
    }

    @Test
    final void nobodyEnlistsUnderADeadLease() {
        LeaseId dead = scene.lease(one);
        scene.get(one.revoke(dead));

        scene.assertLost(other.enlist(election, scene.enlisted("ada", dead)));

        assertThat(scene.standing(other, election)).isEmpty();
    }

    @Test
    final void aCandidateStandsInEachElectionOnItsOwn() {
        ElectionName second = scene.election("second");
        LeaseId lease = scene.lease(one);
        enlist("ada", lease);
        enlist("bob", lease);
        scene.get(one.enlist(second, scene.enlisted("bob", lease)));
        scene.get(one.enlist(second, scene.enlisted("ada", lease)));

        withdraw("ada");

        assertThat(scene.standing(other, election)).containsExactly("bob");
        assertThat(scene.standing(other, second)).containsExactly("bob", "ada");
    }

    @Test
    final void everyElectionAskedForHasItsListAndNoOtherHas() {
        ElectionName empty = scene.election("empty");
        ElectionName left = scene.election("left");
        ElectionName second = scene.election("second");
        LeaseId mine = scene.lease(one);
        LeaseId theirs = scene.lease(other);
        LeaseId dead = scene.lease(other);
        scene.get(one.enlist(left, scene.enlisted("dan", dead)));
        enlist("ada", mine);
        scene.get(other.enlist(second, scene.enlisted("carl", theirs)));
        enlist("dan", dead);
        enlist("bob", theirs);
        scene.get(one.enlist(second, scene.enlisted("ada", mine)));
        scene.get(one.revoke(dead));

        var lists = scene.get(other.candidates(Set.of(election, left, empty, second)));

        assertThat(lists).containsOnlyKeys(election, left, empty, second);
        assertThat(lists.get(election)).containsExactly(scene.enlisted("ada", mine), scene.enlisted("bob", theirs));
        assertThat(lists.get(left)).isEmpty();
        assertThat(lists.get(empty)).isEmpty();
        assertThat(lists.get(second)).containsExactly(scene.enlisted("carl", theirs), scene.enlisted("ada", mine));
    }

    @Test
    final void anElectionThatHasOnlyACandidateIsListed() {
        enlist("ada", scene.lease(one));

        assertThat(scene.get(other.elections(scene.prefix()))).containsExactly(election);
    }

    /** As one of a later version may be. */
    @Test
    final void anEntryThatCannotBeReadSpoilsNoOther() {
        needs(Ability.PLANT_CANDIDATE);
        LeaseId lease = scene.lease(one);
        enlist("ada", lease);
        rig.plantCandidate(election.value(), lease, "{\"v\":2}");
        enlist("bob", lease);

        assertThat(scene.standing(one, election)).containsExactly("ada", "bob");
        assertThat(scene.standing(other, election)).containsExactly("ada", "bob");
        withdraw("ada");
        assertThat(scene.standing(other, election)).containsExactly("bob");
        assertThat(scene.get(other.elections(scene.prefix()))).containsExactly(election);
    }

    @Test
    final void anEntryUnderAForeignNameSpoilsNoList() {
        needs(Ability.PLANT_CANDIDATE);
        LeaseId lease = scene.lease(one);
        enlist("ada", lease);
        rig.plantCandidate(scene.prefix() + "/for*eign", lease, RecordJson.write(scene.enlisted("bob", lease)));

        assertThat(scene.get(other.elections(scene.prefix()))).containsExactly(election);
        assertThat(scene.get(other.elections(""))).contains(election);
        assertThat(scene.standing(other, election)).containsExactly("ada");
    }

    private Enlisted namesake(String random, LeaseId lease) {
        CandidateId id = CandidateId.of("ada", "host", 1, scene.prefix() + random);
        return new Enlisted(new Candidate(id, "ada", ""), lease, Scene.NOON, Set.of());
    }

    private List<Enlisted> listed(ElectionName name) {
        return scene.get(other.candidates(Set.of(name))).getOrDefault(name, List.of());
    }

    private void enlist(String name, LeaseId lease) {
        scene.get(one.enlist(election, scene.enlisted(name, lease)));
    }

    private void withdraw(String name) {
        scene.get(one.withdraw(election, scene.candidate(name).id()));
    }
}
