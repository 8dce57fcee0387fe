package dev.incumbent.beats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Step;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HearingTest {
    @Test
    void aFollowerHearsTheTermsOfItsLeaderAsTheyChange() {
        Mesh mesh = new Mesh(Rhythm.DEFAULT, "a", "l");
        mesh.leads("l", 1);
        mesh.follows("a", "l");
        mesh.run(10);

        mesh.leads("l", Map.of(Mesh.ELECTION, 1L, new ElectionName("orders"), 7L));
        mesh.run(10);
        mesh.leads("l", Map.of(new ElectionName("orders"), 8L));
        mesh.run(10);

        assertThat(mesh.told)
                .containsExactly("2 a hears l {billing=1}", "11 a hears l {orders=7}", "21 a hears l {orders=8}");
        assertThat(mesh.link("a", "l").told().terms()).containsExactly(Map.entry(new ElectionName("orders"), 8L));
    }

    @Test
    void whoeverLeadsNothingIsHeardInNoTerm() {
        Mesh mesh = new Mesh(Rhythm.DEFAULT, "a", "b");
        mesh.follows("a", "b");

        mesh.run(1000);

        assertThat(mesh.told).isEmpty();
        assertThat(mesh.link("a", "b").told().listeners()).isEmpty();
        mesh.kill("b");
        mesh.run(1000);
        assertThat(mesh.told).isEmpty();
    }

    @Test
    void whoeverLeadsNoMoreTellsOfNoListeners() {
        Mesh mesh = Mesh.following("l", "a", "b");
        assertThat(mesh.link("a", "l").told().listeners()).hasSize(2);

        mesh.leads("l", Map.of());
        mesh.run(10);

        assertThat(mesh.link("a", "l").told().listeners()).isEmpty();
        assertThat(mesh.link("a", "l").told().terms()).isEmpty();
    }

    @Test
    void aChangeToWhatIsKnownAlreadyEndsTheConnection() {
        Mesh mesh = Mesh.following("l", "a");
        long known = mesh.link("a", "l").told().generation();

        mesh.inject("a", "l", new Message.Change(known, known, Map.of(), Set.of(), Map.of(), Set.of()));

        assertThat(mesh.link("a", "l").open()).isFalse();
        mesh.run(100);
        assertThat(mesh.connections()).isEqualTo(1);
    }

    @Test
    void aGoodbyeEndsTheConnectionAtBothEndsAndWhoIsStillWantedIsDialledAnew() {
        Mesh mesh = Mesh.following("l", "a");
        long connection = mesh.link("a", "l").connection();

        mesh.inject("a", "l", new Message.Goodbye());
        assertThat(mesh.connections()).isEqualTo(1);
        mesh.run(100);

        assertThat(mesh.connections()).isEqualTo(1);
        assertThat(mesh.link("a", "l").connection()).isGreaterThan(connection);
        assertThat(mesh.link("l", "a").connection()).isGreaterThan(connection);
    }

    @Test
    void whoeverClosesEndsItsConnectionsAndIsWokenNoMore() {
        Mesh mesh = Mesh.following("l", "a", "b");

        BeatState closed = mesh.close("a");

        assertThat(closed.links()).isEmpty();
        assertThat(closed.dials()).isEmpty();
        assertThat(mesh.connections()).isEqualTo(1);
        assertThat(mesh.wakes("a")).isEqualTo(Step.NEVER);
    }

    @Test
    void whoeverIsFollowedNoMoreAndHasGoneIsForgotten() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.kill("l");
        mesh.run(10);
        assertThat(mesh.state("a").links().keySet())
                .extracting(Object::toString)
                .containsExactly("b", "l");

        mesh.follows("a");
        mesh.run(10);

        assertThat(mesh.state("a").links().keySet())
                .extracting(Object::toString)
                .containsExactly("b");
        assertThat(mesh.state("a").doubts()).isEmpty();
        assertThat(mesh.state("a").dials()).isEmpty();
    }

    @Test
    void bothEndsBeatEachBeat() {
        Mesh mesh = Mesh.following("l", "a");
        mesh.sent.clear();

        mesh.run(1000);

        assertThat(mesh.sent).filteredOn(line -> line.contains("l>a Beat")).hasSize(20);
        assertThat(mesh.sent).filteredOn(line -> line.contains("a>l Beat")).hasSize(20);
        assertThat(mesh.sent).hasSize(40);
    }

    @Test
    void tenThousandTermsTravelOnceAndOneChangeAlone() {
        Mesh mesh = new Mesh(Rhythm.DEFAULT, "a", "l");
        Map<ElectionName, Long> terms = new TreeMap<>();
        for (int i = 0; i < 10_000; i++) {
            terms.put(new ElectionName("e" + i), 1L);
        }
        mesh.leads("l", terms);
        mesh.follows("a", "l");
        mesh.run(1000);
        terms.put(new ElectionName("e7"), 2L);
        terms.remove(new ElectionName("e8"));
        mesh.sent.clear();

        mesh.leads("l", terms);
        mesh.run(1000);

        assertThat(mesh.sent)
                .filteredOn(line -> line.contains("Change"))
                .singleElement()
                .asString()
                .endsWith("terms={e7=2}, ended=[e8], joined={}, left=[]]");
        assertThat(mesh.link("a", "l").told().terms()).isEqualTo(terms);
    }

    @Test
    void changesThatComeFasterThanTheyAreAcknowledgedTravelTogether() {
        Mesh mesh = Mesh.following("l", "a");
        mesh.sent.clear();

        for (long term = 2; term <= 9; term++) {
            mesh.leads("l", term);
        }
        mesh.run(100);

        assertThat(mesh.sent).filteredOn(line -> line.contains("Change")).hasSize(2);
        assertThat(mesh.told).endsWith("1001 a hears l {billing=2}", "1003 a hears l {billing=9}");
    }

    @Test
    void aNewConnectionTellsAllAnew() {
        Mesh mesh = Mesh.following("l", "a", "b");
        mesh.told.clear();

        mesh.resetBetween("l", "a");
        mesh.run(1000);

        assertThat(mesh.told).containsExactly("1003 a hears l {billing=1}");
    }

    @Test
    void aChangeThatDoesNotFollowTheLastEndsTheConnectionAndABeatOfAnotherGenerationIsNotCounted() {
        Mesh mesh = Mesh.following("l", "a");
        mesh.run(20);
        long heard = mesh.link("a", "l").heard().atNanos();

        mesh.inject("a", "l", new Message.Beat(1_000, 99));
        assertThat(mesh.link("a", "l").heard().atNanos()).isEqualTo(heard);

        mesh.inject("a", "l", new Message.Change(98, 99, Map.of(Mesh.ELECTION, 5L), Set.of(), Map.of(), Set.of()));
        assertThat(mesh.link("a", "l").open()).isFalse();
        mesh.run(100);
        assertThat(mesh.told).endsWith("1022 a hears l {billing=1}").noneMatch(line -> line.contains("=5"));
    }

    @Test
    void ofTwoConnectionsBothEndsKeepTheOneThatTheSmallerHasDialled() {
        Mesh mesh = new Mesh(Rhythm.DEFAULT, "a", "b");
        mesh.leads("a", 1);
        mesh.leads("b", Map.of(new ElectionName("orders"), 7L));
        mesh.follows("a", "b");
        mesh.follows("b", "a");

        mesh.run(1000);

        Link ofA = mesh.link("a", "b");
        Link ofB = mesh.link("b", "a");
        assertThat(ofA.open() && ofB.open()).isTrue();
        assertThat(ofA.connection()).isEqualTo(ofB.connection());
        assertThat(ofA.dialled()).isTrue();
        assertThat(mesh.connections()).isEqualTo(1);
        assertThat(mesh.told).noneMatch(line -> line.contains("suspects"));
        assertThat(mesh.sent).filteredOn(line -> line.contains("Goodbye")).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void thoseWhoFollowOneLeaderAreConnectedWithEachOtherAndTheSmallerDials() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");

        assertThat(mesh.state("a").links().keySet())
                .extracting(Object::toString)
                .containsExactly("b", "c", "l");
        assertThat(mesh.state("c").links().keySet())
                .extracting(Object::toString)
                .containsExactly("a", "b", "l");
        assertThat(mesh.link("a", "c").dialled()).isTrue();
        assertThat(mesh.link("c", "a").dialled()).isFalse();
    }

    @Test
    void aPeerThatIsNotReachedIsDialledLessAndLess() {
        Mesh mesh = new Mesh(Rhythm.DEFAULT, "a", "l");
        mesh.unplug("l");

        mesh.follows("a", "l");
        mesh.run(60_000);

        assertThat(mesh.state("a").dials().values())
                .singleElement()
                .satisfies(dialling -> assertThat(dialling.failures()).isBetween(18, 26));
    }
}
