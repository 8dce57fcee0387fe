package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Request;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Records: read linearizably, swapped by revision, never forgotten. */
abstract class RecordContract extends Section {
    private static final int MANY = 1_000;

    @Test
    final void anElectionThatWasNeverWrittenIsAbsent() {
        assertThat(scene.reading(one, election)).isInstanceOf(Reading.Absent.class);
    }

    @Test
    final void aSwapOnAbsentCreatesTheRecordOnce() {
        Revision first = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));

        Swap second = scene.get(other.swap(election, Revision.ABSENT, scene.vacant(2)));

        assertRefusedBy(one, second, first);
        assertThat(scene.found(one, election).record().term()).isEqualTo(1);
    }

    @Test
    final void ofTwoSwapsOnOneRevisionOneIsRefused() {
        Revision read = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        Revision winner = scene.swapped(one, election, read, scene.claim(2, "ada", scene.lease(one)));

        Swap late = scene.get(other.swap(election, read, scene.claim(2, "bob", scene.lease(other))));

        assertRefusedBy(other, late, winner);
        assertThat(scene.found(other, election).record().leader().map(Candidate::name))
                .contains("ada");
    }

    @Test
    final void ofTwoSwapsSentAtOnceOneIsRefused() {
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(0));
        for (int term = 1; term <= 20; term++) {
            LeaderRecord mine = scene.vacant(term);
            LeaderRecord theirs = scene.vacant(term);
            CompletableFuture<Swap> first = one.swap(election, current, mine).toCompletableFuture();
            CompletableFuture<Swap> second =
                    other.swap(election, current, theirs).toCompletableFuture();

            boolean firstWon = scene.get(first) instanceof Swap.Accepted;
            boolean secondWon = scene.get(second) instanceof Swap.Accepted;

            ObservedRecord found = scene.found(one, election);
            assertThat(firstWon).isNotEqualTo(secondWon);
            assertThat(found.record()).isEqualTo(firstWon ? mine : theirs);
            current = found.revision();
        }
    }

    @Test
    final void aSwapOnARevisionThatNeverWasIsRefused() {
        ElectionName absent = scene.election("absent");
        Revision current = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        Revision never = new Revision(scene.nonce());

        Swap onARecord = scene.get(one.swap(election, never, scene.vacant(2)));
        Swap onNone = scene.get(one.swap(absent, never, scene.vacant(2)));

        assertRefusedBy(other, onARecord, current);
        assertThat(onNone).isInstanceOf(Swap.Refused.class);
        assertThat(scene.reading(other, absent)).isInstanceOf(Reading.Absent.class);
    }

    @Test
    final void theRevisionOfAnAcceptedSwapIsTheOneThatIsReadAndThatTheNextSwapNames() {
        Revision first = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        assertThat(scene.found(other, election).revision()).isEqualTo(first);

        Revision second = scene.swapped(other, election, first, scene.vacant(2));

        assertThat(second).isNotEqualTo(first).isNotEqualTo(Revision.ABSENT);
        assertThat(scene.found(one, election).revision()).isEqualTo(second);
    }

    @Test
    final void aRefusalThatFindsMyOwnNonceIsAccepted() {
        LeaderRecord mine = scene.vacant(1);
        Revision first = scene.swapped(one, election, Revision.ABSENT, mine);

        Swap again = scene.get(one.swap(election, Revision.ABSENT, mine));

        assertThat(again).isEqualTo(new Swap.Accepted(first));
    }

    @Test
    final void whatIsSwappedIsReadBackWhole() {
        LeaderRecord whole = wholeRecord(scene.lease(one));

        scene.swapped(one, election, Revision.ABSENT, whole);

        assertThat(scene.found(other, election).record()).isEqualTo(whole);
    }

    @Test
    final void everyLegalNameNamesAnElection() {
        String longest = scene.prefix() + "/" + "n".repeat(254 - scene.prefix().length());
        List<String> names = List.of(longest, scene.prefix() + "/A.b_c-9", scene.prefix() + "/a.b_c-9");

        for (int i = 0; i < names.size(); i++) {
            scene.swapped(one, new ElectionName(names.get(i)), Revision.ABSENT, scene.vacant(i + 1));
        }

        for (int i = 0; i < names.size(); i++) {
            ObservedRecord found = scene.found(other, new ElectionName(names.get(i)));
            assertThat(found.record().term()).as(names.get(i)).isEqualTo(i + 1);
        }
    }

    @Test
    final void aReadIsNeverOlderThanAnAcknowledgedWriteOfAnotherClient() {
        Revision current = Revision.ABSENT;
        for (int term = 1; term <= 30; term++) {
            current = scene.swapped(term % 2 == 0 ? one : other, election, current, scene.vacant(term));

            assertThat(scene.found(one, election).revision()).isEqualTo(current);
            assertThat(scene.found(other, election).revision()).isEqualTo(current);
        }
    }

    @Test
    @Tag("realtime")
    final void aRecordOutlivesItsLeaderAndItsLease() {
        GrantedLease lease = scene.grant(one);
        Revision claimed = scene.swapped(one, election, Revision.ABSENT, scene.claim(7, "ada", lease.id()));
        scene.letDie(other, election, lease);
        assertThat(scene.found(other, election).record().term()).isEqualTo(7);
        assertThat(scene.found(other, election).revision()).isEqualTo(claimed);

        Revision next = scene.swapped(other, election, claimed, scene.claim(8, "bob", scene.lease(other)));
        scene.found(other, election).record().lease().ifPresent(held -> scene.get(one.revoke(held)));
        one.close();

        assertThat(scene.found(other, election).record().term()).isEqualTo(8);
        assertThat(scene.found(other, election).revision()).isEqualTo(next);
    }

    @Test
    final void whereNobodyLeadsNoLeaseIsAlive() {
        scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));

        ObservedRecord found = scene.found(other, election);

        assertThat(found.leaseAlive()).isFalse();
        assertThat(found.leaseRemaining()).isEmpty();
    }

    @Test
    final void aReadTellsOfEveryElectionAskedForAndOfNoOther() {
        ElectionName absent = scene.election("absent");
        scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        scene.swapped(one, scene.election("unasked"), Revision.ABSENT, scene.vacant(2));

        Map<ElectionName, Reading> readings = scene.get(one.read(Set.of(election, absent)));

        assertThat(readings).containsOnlyKeys(election, absent);
        assertThat(readings.get(election)).isInstanceOf(Reading.Found.class);
        assertThat(readings.get(absent)).isInstanceOf(Reading.Absent.class);
        assertThat(scene.get(one.read(Set.of()))).isEmpty();
    }

    @Test
    final void recordsReadTogetherHaveEachTheLifeOfItsOwnLease() {
        LeaseId mine = scene.lease(one);
        LeaseId dead = scene.lease(one);
        LeaseId theirs = scene.lease(other);
        Map<ElectionName, LeaderRecord> written = new LinkedHashMap<>();
        for (int i = 1; i <= 8; i++) {
            List<LeaderRecord> kinds = List.of(
                    scene.vacant(i),
                    scene.claim(i, "ada" + i, dead),
                    scene.claim(i, "bob" + i, mine),
                    scene.claim(i, "carl" + i, theirs));
            written.put(scene.election("e" + i), kinds.get(i % kinds.size()));
        }
        written.forEach((name, record) -> scene.swapped(one, name, Revision.ABSENT, record));
        scene.get(one.revoke(dead));

        Map<ElectionName, Reading> readings = scene.get(other.read(written.keySet()));

        written.forEach((name, record) -> {
            ObservedRecord found = recordOf(readings, name);
            boolean lives = record.lease().filter(it -> !it.equals(dead)).isPresent();
            assertThat(found.record()).isEqualTo(record);
            assertThat(found.leaseAlive()).as("the life of %s", record).isEqualTo(lives);
        });
    }

    @Test
    final void oneBadRecordSpoilsNoOther() {
        needs(Ability.PLANT_UNREADABLE);
        ElectionName bad = scene.election("bad");
        scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        scene.swapped(one, bad, Revision.ABSENT, scene.vacant(1));
        rig.plantUnreadable(bad);

        Map<ElectionName, Reading> readings = scene.get(one.read(Set.of(election, bad)));
        Swap onAbsent = scene.get(one.swap(bad, Revision.ABSENT, scene.vacant(2)));

        assertThat(readings.get(election)).isInstanceOf(Reading.Found.class);
        assertThat(readings.get(bad)).isInstanceOf(Reading.Foreign.class);
        assertThat(((Reading.Foreign) readings.get(bad)).why()).isNotBlank();
        assertThat(onAbsent).isInstanceOf(Swap.Refused.class);
    }

    @Test
    final void aForeignNameSpoilsNoList() {
        needs(Ability.PLANT_FOREIGN);
        scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        rig.plantForeign(scene.prefix() + "/for*eign");

        assertThat(scene.get(one.elections(scene.prefix()))).containsExactly(election);
        assertThat(scene.get(one.elections(""))).contains(election);
        assertThat(scene.get(one.elections(scene.prefix() + "/absent"))).isEmpty();
    }

    @Test
    final void electionsAreListedByNameOrBeneathItInOrder() {
        for (String name : List.of("b", "a_b", "a/z", "a", "ab", "axb", "a-", "a/_", "A", "a/a/a")) {
            scene.swapped(one, scene.election(name), Revision.ABSENT, scene.vacant(1));
        }

        assertThat(listed("/a")).containsExactly("a", "a/_", "a/a/a", "a/z");
        assertThat(listed("/a_b")).containsExactly("a_b");
        assertThat(listed("/a/a")).containsExactly("a/a/a");
        assertThat(listed("/absent")).isEmpty();
        assertThat(listed("")).containsExactly("A", "a", "a-", "a/_", "a/a/a", "a/z", "a_b", "ab", "axb", "b");
        assertThat(scene.get(one.elections(""))).isSorted().contains(scene.election("a"), scene.election("b"));
    }

    @Test
    @Tag("realtime")
    final void revisionsNeverRepeatAlsoInARestoredStore() {
        needs(Ability.RESTORE);
        Revision kept = scene.swapped(one, election, Revision.ABSENT, scene.vacant(1));
        rig.backUp();
        Revision forgotten = scene.swapped(one, election, kept, scene.vacant(2));
        rig.restore();
        var afterwards = rig.connect();

        Revision repeated = scene.swapped(afterwards, election, kept, scene.vacant(2));
        Swap late = scene.get(afterwards.swap(election, forgotten, scene.vacant(3)));

        assertThat(repeated).isNotEqualTo(forgotten);
        assertRefusedBy(afterwards, late, repeated);
    }

    @Test
    final void aThousandElectionsStandOnOneLeaseAndOneRead() {
        LeaseId lease = scene.lease(one);
        Map<ElectionName, LeaderRecord> claims = new LinkedHashMap<>();
        for (int i = 0; i < MANY; i++) {
            claims.put(scene.election("e" + i), scene.claim(i + 1, "ada", lease));
        }
        List<CompletableFuture<Swap>> swaps = new ArrayList<>();
        claims.forEach((name, claim) -> {
            swaps.add(one.swap(name, Revision.ABSENT, claim).toCompletableFuture());
            if (swaps.size() % 20 == 0) {
                scene.get(swaps.get(swaps.size() - 1));
                scene.get(one.keepAlive(lease));
            }
        });
        swaps.forEach(swap -> assertThat(scene.get(swap)).isInstanceOf(Swap.Accepted.class));

        scene.get(one.keepAlive(lease));
        Map<ElectionName, Reading> alive = scene.get(other.read(claims.keySet()));
        scene.get(one.revoke(lease));
        Map<ElectionName, Reading> dead = scene.get(other.read(claims.keySet()));

        assertThat(alive).hasSize(MANY);
        claims.forEach((name, claim) -> {
            assertThat(recordOf(alive, name).record()).isEqualTo(claim);
            assertThat(recordOf(alive, name).leaseAlive()).isTrue();
            assertThat(recordOf(dead, name).leaseAlive()).isFalse();
        });
    }

    private static ObservedRecord recordOf(Map<ElectionName, Reading> readings, ElectionName name) {
        assertThat(readings.get(name)).isInstanceOf(Reading.Found.class);
        return readings.get(name) instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT;
    }

    /** By the record that is there now: who is refused and told the record need not read it. */
    private void assertRefusedBy(Coordinator reader, Swap swap, Revision current) {
        ObservedRecord found = scene.found(reader, election);
        assertThat(found.revision()).isEqualTo(current);
        assertThat(swap).isInstanceOf(Swap.Refused.class);
        assertThat(((Swap.Refused) swap).current().stream()).allSatisfy(told -> {
            assertThat(told.revision()).isEqualTo(current);
            assertThat(told.record()).isEqualTo(found.record());
            assertThat(told.leaseAlive()).isEqualTo(found.leaseAlive());
        });
    }

    private List<String> listed(String beneath) {
        int cut = scene.prefix().length() + 1;
        return scene.get(one.elections(scene.prefix() + beneath)).stream()
                .map(name -> name.value().substring(cut))
                .toList();
    }

    private LeaderRecord wholeRecord(LeaseId lease) {
        Candidate ada = new Candidate(scene.candidate("ada").id(), "ada", "http://h1:80/x");
        Candidate bob = scene.candidate("bob");
        return LeaderRecord.EMPTY
                .claimedBy(Long.MAX_VALUE, ada, lease, Duration.ofNanos(2_500_000_001L), Scene.NOON.plusNanos(7))
                .withRequest(Optional.of(new Request.TransferTo("r'1", 7, bob.id())))
                .withFreeze(Optional.of(new Freeze("carl", "two \"sites\" é 日本 😀 \\ \n", Scene.NOON, 9)))
                .withSinks(Map.of(new SinkId("s1"), "ledger's; drop table", new SinkId("s2"), ""))
                .withRetiredSinks(Set.of(new SinkId("s0")))
                .remembering(new PastTerm(6, bob, Scene.NOON, Scene.NOON, EndReason.RESIGNED, Duration.ofSeconds(9)))
                .remembering(new PastTerm(7, ada, Scene.NOON, Scene.NOON, EndReason.FROZEN, Duration.ofSeconds(9)))
                .written(scene.nonce());
    }
}
