package dev.incumbent.beats;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Processes that do not all stand in the same elections, or not from the beginning. */
class ListenersTest {
    private static final ElectionName ORDERS = new ElectionName("orders");

    /** It leads another election, follows the leader of this one nowhere, and is smaller: nobody but the larger one can dial. */
    @Test
    void aListenerThatFollowsNobodyElseIsDialledByTheLargerOne() {
        Mesh mesh = new Mesh(Rhythm.DEFAULT, "a", "b", "l");
        mesh.leads("l", 1);
        mesh.leads("a", Map.of(ORDERS, 1L));
        mesh.follows("b", "l");
        mesh.follows("l", "a");
        mesh.run(1000);
        assertThat(mesh.connections()).isEqualTo(3);
        mesh.told.clear();

        mesh.kill("l");
        mesh.run(10);

        assertThat(mesh.told).contains("1002 b suspects l {billing=1} GONE");
    }

    @Test
    void theLargerOneLetsTheSmallerOneDial() {
        Mesh mesh = Mesh.following("l", "a", "b");

        assertThat(mesh.link("a", "b").dialled()).isTrue();
        assertThat(mesh.link("b", "a").dialled()).isFalse();
        assertThat(mesh.sent).noneMatch(line -> line.contains("Goodbye"));
    }

    @Test
    void whoBeginsToStandIsToldWhoWasHeardLongAgo() {
        Mesh mesh = Mesh.following("l", "a");
        mesh.leads("l", Map.of(Mesh.ELECTION, 1L, ORDERS, 7L));
        mesh.run(1000);
        mesh.told.clear();

        mesh.step("a", new BeatEvent.Stands(ORDERS));
        mesh.step("a", new BeatEvent.Stands(new ElectionName("payroll")));

        assertThat(mesh.told).containsExactly("2000 a hears l {orders=7}");
    }

    @Test
    void ofWhoseConnectionHasEndedNothingIsToldAnew() {
        Mesh mesh = Mesh.following("l", "a");
        mesh.kill("l");
        mesh.run(10);
        mesh.told.clear();

        mesh.step("a", new BeatEvent.Stands(Mesh.ELECTION));

        assertThat(mesh.told).isEmpty();
    }

    /** The claim of a listener, heard before the record tells of it: its larger fellow has not dialled it, and follows it not yet. */
    @Test
    void aClaimantThatDiesBeforeItIsFollowedIsMissed() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.leads("b", 2);
        mesh.run(20);
        mesh.told.clear();

        mesh.kill("b");
        mesh.run(20);

        assertThat(mesh.told)
                .containsExactlyInAnyOrder(
                        "1022 a suspects b {billing=2} GONE",
                        "1022 c suspects b {billing=2} GONE",
                        "1022 l suspects b {billing=2} GONE");
    }

    @Test
    void itIsForgottenAfterAWhile() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.leads("b", 2);
        mesh.run(20);
        mesh.unplug("b");
        mesh.run(5_500);
        mesh.sent.clear();

        mesh.run(5_000);

        assertThat(mesh.state("l").links()).doesNotContainKey(Mesh.peer("b").id());
    }

    /** A listener that led nothing is not missed. */
    @Test
    void aListenerThatDiesIsNotSuspected() {
        Mesh mesh = Mesh.following("l", "a", "b", "c");
        mesh.told.clear();

        mesh.kill("b");
        mesh.run(500);

        assertThat(mesh.told).isEmpty();
    }

    @Test
    void aConnectionThatEndsAsSoonAsItIsMadeIsNotMadeAnewAtOnce() {
        Mesh mesh = Mesh.following("l", "a");
        int dials = 0;
        for (int i = 0; i < 100; i++) {
            long before = mesh.everConnected();
            mesh.resetBetween("a", "l");
            mesh.run(10);
            dials += (int) (mesh.everConnected() - before);
        }

        assertThat(dials).isBetween(2, 10);
    }

    @Test
    void aConnectionWithItselfIsDropped() {
        Mesh mesh = new Mesh(Rhythm.DEFAULT, "a");

        mesh.step("a", new BeatEvent.Connected(77, Mesh.peer("a"), true));

        assertThat(mesh.state("a").links()).isEmpty();
        assertThat(mesh.dropped).isEqualTo(List.of(77L));
    }
}
