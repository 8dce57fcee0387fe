package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order candidates claim, and how long each waits. */
class TurnsTest {
    private static final Enlisted ADA = enlisted("ada", 0);
    private static final Enlisted BOB = enlisted("bob", 5);
    private static final Enlisted CAY = enlisted("cay", -5);
    private static final Enlisted DAN = enlisted("dan", 5);
    private static final Enlisted EVE = enlisted("eve", 0);

    @Test
    void equalsComeAsTheyEnlisted() {
        assertThat(turns().inOrder(List.of(EVE, ADA))).containsExactly(EVE, ADA);
        assertThat(turns().inOrder(List.of(ADA, EVE))).containsExactly(ADA, EVE);
        assertThat(turns().inOrder(List.of())).isEmpty();
    }

    @Test
    void theGreaterPriorityComesFirst() {
        assertThat(turns().inOrder(List.of(CAY, ADA, DAN, EVE, BOB))).containsExactly(DAN, BOB, ADA, EVE, CAY);
    }

    @Test
    void whoIsCordonedComesAfterAllOthersWhateverItsPriority() {
        assertThat(turns("bob", "ada").inOrder(List.of(ADA, BOB, CAY, DAN))).containsExactly(DAN, CAY, BOB, ADA);
        assertThat(turns("ada", "cay", "eve").inOrder(List.of(EVE, CAY, ADA))).containsExactly(EVE, ADA, CAY);
    }

    @Test
    void ofEqualPriorityTheNewestVersionComesFirstAndNoneIsTheOldest() {
        Enlisted plain = ranked("plain", CandidateRank.PLAIN);
        Enlisted old = ranked("old", CandidateRank.PLAIN.withVersion("1.9"));
        Enlisted young = ranked("young", CandidateRank.PLAIN.withVersion("1.10"));
        Enlisted first = ranked("first", CandidateRank.PLAIN.withPriority(1));

        assertThat(turns().inOrder(List.of(plain, old, young, first))).containsExactly(first, young, old, plain);
        assertThat(turns("young").inOrder(List.of(plain, old, young, first))).containsExactly(first, old, plain, young);
    }

    @Test
    void theOldestVersionComesFirstIfAllThatTellOneWantIt() {
        Enlisted plain = ranked("plain", CandidateRank.PLAIN);
        Enlisted old = ranked("old", new CandidateRank(0, "1.9", true, "", ""));
        Enlisted young = ranked("young", new CandidateRank(0, "1.10", true, "", ""));
        Enlisted other = ranked("other", new CandidateRank(0, "1.9", false, "", ""));

        assertThat(turns().inOrder(List.of(young, old, plain))).containsExactly(plain, old, young);
        assertThat(turns().inOrder(List.of(other, old, plain, young))).containsExactly(young, other, old, plain);
    }

    @Test
    void whoRunsOutsideOfThePreferredZoneComesAfterTheOthers() {
        Enlisted home = ranked("home", new CandidateRank(0, "", false, "eu", "eu"));
        Enlisted away = ranked("away", new CandidateRank(0, "", false, "us", "eu"));
        Enlisted nowhere = ranked("nowhere", new CandidateRank(0, "", false, "", "eu"));
        Enlisted plain = ranked("plain", new CandidateRank(0, "", false, "us", ""));

        assertThat(turns().inOrder(List.of(away, nowhere, plain, home))).containsExactly(plain, home, away, nowhere);
        assertThat(staggers(turns(), List.of(away, home))).containsExactly(1, 0);
    }

    @Test
    void ofEqualRankWhoHasComeFurtherComesFirstAndIsNotBetter() {
        Enlisted near = at(ADA, 40);
        Enlisted far = at(EVE, 1_000);
        Enlisted first = at(BOB, 0);
        Enlisted none = enlisted("none", 0);
        List<Enlisted> line = List.of(none, near, far, first);

        assertThat(turns().inOrder(line)).containsExactly(first, far, near, none);
        assertThat(staggers(turns(), line)).containsExactly(3, 2, 1, 0);
        assertThat(turns().betterThan(near.candidate().id(), line)).containsExactly(first);
        assertThat(turns().inputs(line)).isEqualTo(turns().inputs(List.of(none, ADA, EVE, BOB)));
    }

    private static Enlisted at(Enlisted one, long position) {
        return new Enlisted(one.candidate().withPosition(position), one.lease(), one.since(), one.sinks());
    }

    @Test
    void ofEqualRankAndPositionWhoLeadsFewerComesFirstAndIsNotBetter() {
        Enlisted many = leading(ADA, 9);
        Enlisted few = leading(EVE, 2);
        Enlisted none = enlisted("none", 0);
        Enlisted far = at(leading(enlisted("far", 0), 100), 7);
        List<Enlisted> line = List.of(many, few, none, far);

        assertThat(turns().inOrder(line)).containsExactly(far, none, few, many);
        assertThat(staggers(turns(), line)).containsExactly(3, 2, 1, 0);
        assertThat(turns().betterThan(many.candidate().id(), line)).isEmpty();
        assertThat(turns().inputs(List.of(many, few))).isEqualTo(turns().inputs(List.of(ADA, EVE)));
        assertThat(leading(ADA, 0)).isEqualTo(ADA);
        assertThat(many.candidate().leads()).isEqualTo(9);
    }

    private static Enlisted leading(Enlisted one, long elections) {
        return new Enlisted(one.candidate().withLeads(elections), one.lease(), one.since(), one.sinks());
    }

    @Test
    void betterIsWhoRanksBeforeAndNotWhoStandsLonger() {
        List<Enlisted> line = List.of(EVE, ADA, BOB, CAY, DAN);

        assertThat(turns().betterThan(ADA.candidate().id(), line)).containsExactly(BOB, DAN);
        assertThat(turns().betterThan(BOB.candidate().id(), line)).isEmpty();
        assertThat(turns("bob").betterThan(BOB.candidate().id(), line)).containsExactly(DAN, EVE, ADA, CAY);
        assertThat(turns().betterThan(new CandidateId("gone"), line)).isEmpty();
    }

    @Test
    void whatRanksDependOnIsWhoStandsWhatEachTellsAndWhoIsCordoned() {
        String inputs = turns().inputs(List.of(ADA, BOB));

        assertThat(inputs).matches("[0-9a-f]{16}").isEqualTo(turns().inputs(List.of(BOB, ADA)));
        assertThat(turns("cay").inputs(List.of(ADA, BOB))).isEqualTo(inputs);
        assertThat(turns("bob").inputs(List.of(ADA, BOB))).isNotEqualTo(inputs);
        assertThat(turns().inputs(List.of(ADA))).isNotEqualTo(inputs);
        assertThat(turns().inputs(List.of(ADA, enlisted("bob", 6)))).isNotEqualTo(inputs);
    }

    /** One order for all: whoever is listed, each claims by the same line. */
    @Test
    void theOrderIsTotalWhateverIsTold() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 2_000; i++) {
            List<Enlisted> line = IntStream.range(0, 6)
                    .mapToObj(n -> ranked("n" + n, anyRank(random)))
                    .toList();
            Turns turns = random.nextBoolean() ? turns() : turns("n0", "n3");

            List<Enlisted> order = turns.inOrder(line);

            assertThat(order).containsExactlyInAnyOrderElementsOf(line);
            assertThat(turns.inOrder(order)).as("ordered once more").isEqualTo(order);
            List<Integer> waits = staggers(turns, order);
            assertThat(waits).as("nobody waits for ever").isSorted().allMatch(wait -> wait < order.size());
            assertThat(waits.get(0)).isZero();
        }
    }

    private static CandidateRank anyRank(SplittableRandom random) {
        List<String> versions = List.of("", "1.9", "1.10", "1.10.0", "v2", "2.0-rc1", "x");
        List<String> zones = List.of("", "eu", "us");
        return new CandidateRank(
                random.nextInt(3),
                versions.get(random.nextInt(versions.size())),
                random.nextInt(4) > 0,
                zones.get(random.nextInt(3)),
                zones.get(random.nextInt(3)));
    }

    private static Enlisted ranked(String name, CandidateRank rank) {
        Candidate candidate = new Candidate(CandidateId.of(name, "h", 7, "x"), name, "").withRank(rank);
        return new Enlisted(candidate, new LeaseId("L" + name), Instant.EPOCH, Set.of());
    }

    @Test
    void ofEqualsTheFirstTwoToTheKMayClaimAfterTheKthStagger() {
        List<Enlisted> line =
                IntStream.rangeClosed(0, 9).mapToObj(i -> enlisted("n" + i, 0)).toList();

        assertThat(staggers(turns(), line)).containsExactly(0, 1, 2, 2, 3, 3, 3, 3, 4, 4);
    }

    /** Of a, b, c without a priority and d, e, f, g with one: the last of the four may after two staggers, so a comes after three. */
    @Test
    void whoRanksLowerComesAStaggerAfterTheLastWhoRanksHigher() {
        List<Enlisted> line = List.of(
                ADA, EVE, enlisted("c", 0), enlisted("d", 7), enlisted("e", 7), enlisted("f", 7), enlisted("g", 7));

        assertThat(staggers(turns(), line)).containsExactly(3, 4, 5, 0, 1, 2, 2);
        assertThat(staggers(turns("d", "e", "f", "g"), line)).containsExactly(0, 1, 2, 3, 4, 5, 5);
        assertThat(staggers(turns("d", "ada"), line)).containsExactly(6, 3, 4, 5, 0, 1, 2);
    }

    @Test
    void aPriorityIsAnAttributeAndTheOthersStay() {
        Candidate ada = new Candidate(
                ADA.candidate().id(), "ada", "", new Extras(Map.of("beats", "h:1"), Map.of("later", "1")));

        Candidate first = ada.withPriority(1_000);

        assertThat(first.priority()).isEqualTo(1_000);
        assertThat(first.extras().attributes()).isEqualTo(Map.of("beats", "h:1", "priority", "1000"));
        assertThat(first.extras().unknown()).isEqualTo(Map.of("later", "1"));
        assertThat(first.withPriority(-1_000).priority()).isEqualTo(-1_000);
        assertThat(first.withPriority(0)).isEqualTo(ada);
        assertThat(ada.priority()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1_001, -1_001, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void noPriorityIsGreaterThanAThousand(int priority) {
        assertThatThrownBy(() -> ADA.candidate().withPriority(priority))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a priority is from -1000 to 1000, this one is " + priority);
    }

    /** A later version may mean something by it; this one is not stopped by it. */
    @ParameterizedTest
    @ValueSource(strings = {"", "-", "high", "1001", "-1001", "9999", "12345678901", "1.5", "+1", " 1", "\u0661"})
    void whatIsNoPriorityIsNone(String told) {
        Candidate ada = new Candidate(ADA.candidate().id(), "ada", "", Extras.of(Map.of("priority", told)));

        assertThat(ada.priority()).isZero();
    }

    private static List<Integer> staggers(Turns turns, List<Enlisted> line) {
        return line.stream()
                .map(one -> turns.staggers(line, one.candidate().id()))
                .toList();
    }

    private static Turns turns(String... cordoned) {
        Cordons cordons = Cordons.of(Arrays.stream(cordoned)
                .map(whom -> new Cordon(whom, "ops", "", Instant.EPOCH))
                .toList());
        return Turns.of(LeaderRecord.EMPTY.withCordons(cordons));
    }

    private static Enlisted enlisted(String name, int priority) {
        Candidate candidate = new Candidate(CandidateId.of(name, "h", 7, "x"), name, "").withPriority(priority);
        return new Enlisted(candidate, new LeaseId("L" + name), Instant.EPOCH, Set.of());
    }
}
