package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Who has to go where a connection comes too many: at most six in all, four from one place, four strangers, three of them from one place. */
final class VisitorsTest {
    private final Visitors visitors = new Visitors(new Bounds.Crowd(6, 4, 4, 3), 100);
    private final List<String> closed = new ArrayList<>();

    @Test
    void theOldestStrangerOfAFullPlaceGoes() {
        arrive("a1", "10.0.0.1");
        arrive("a2", "10.0.0.1");
        arrive("a3", "10.0.0.1");
        assertThat(closed).isEmpty();

        arrive("a4", "10.0.0.1");
        arrive("b1", "10.0.0.2");

        assertThat(closed).containsExactly("a1");
        assertThat(visitors.count()).isEqualTo(4);
    }

    @Test
    void ofManyStrangersTheOldestOfThePlaceWithMostGoes() {
        arrive("b1", "10.0.0.2");
        arrive("a1", "10.0.0.1");
        arrive("a2", "10.0.0.1");
        arrive("a3", "10.0.0.1");

        arrive("c1", "10.0.0.3");

        assertThat(closed).containsExactly("a1");
    }

    @Test
    void ofPlacesWithEquallyManyStrangersTheOldestGoesWhereverItIs() {
        arrive("a1", "10.0.0.1");
        arrive("b1", "10.0.0.2");
        arrive("b2", "10.0.0.2");
        arrive("a2", "10.0.0.1");

        arrive("c1", "10.0.0.3");
        assertThat(closed).containsExactly("a1");
        visitors.closeAll();
        closed.clear();
        arrive("b1", "10.0.0.2");
        arrive("a1", "10.0.0.1");
        arrive("a2", "10.0.0.1");
        arrive("b2", "10.0.0.2");
        arrive("c1", "10.0.0.3");

        assertThat(closed).containsExactly("b1");
    }

    @Test
    void whoWasAdmittedOutlivesAnyNumberOfStrangers() {
        Visitors.Visitor known = arrive("known", "10.0.0.1");
        known.isAdmitted();

        for (int i = 0; i < 100; i++) {
            arrive("a" + i, "10.0.0.1");
        }

        assertThat(closed).hasSize(97).doesNotContain("known").startsWith("a0").endsWith("a96");
        assertThat(known.isIn()).isTrue();
    }

    @Test
    void whereAllAreAdmittedWhoHasBeenIdleLongestGoes() {
        for (int i = 1; i <= 4; i++) {
            arrive("a" + i, "10.0.0.1").isAdmitted();
        }
        Visitors.Visitor early = arrive("b1", "10.0.0.2");
        Visitors.Visitor late = arrive("b2", "10.0.0.2");
        early.isAdmitted();
        late.isAdmitted();
        late.isIdle();
        early.isIdle();

        arrive("c1", "10.0.0.3");

        assertThat(closed).containsExactly("b2");
    }

    @Test
    void whereAllAreBusyTheNewOneGoes() {
        for (int i = 1; i <= 4; i++) {
            arrive("a" + i, "10.0.0.1").isAdmitted();
        }

        Visitors.Visitor newest = arrive("a5", "10.0.0.1");

        assertThat(closed).containsExactly("a5");
        assertThat(newest.isIn()).isFalse();
    }

    @Test
    void whoeverIsIdleAtAnotherPlaceDoesNotMakeRoom() {
        Visitors.Visitor idle = arrive("b1", "10.0.0.2");
        idle.isAdmitted();
        idle.isIdle();
        for (int i = 1; i <= 4; i++) {
            arrive("a" + i, "10.0.0.1").isAdmitted();
        }

        arrive("a5", "10.0.0.1");

        assertThat(closed).containsExactly("a5");
    }

    @Test
    void whoAsksAgainIsNotIdle() {
        Visitors.Visitor again = arrive("a1", "10.0.0.1");
        again.isAdmitted();
        again.isIdle();
        again.isAdmitted();
        for (int i = 2; i <= 4; i++) {
            arrive("a" + i, "10.0.0.1").isAdmitted();
        }

        arrive("a5", "10.0.0.1");

        assertThat(closed).containsExactly("a5");
    }

    @Test
    void aStrangerGoesBeforeWhoWasAdmittedAndIsIdle() {
        for (int i = 1; i <= 3; i++) {
            Visitors.Visitor guest = arrive("a" + i, "10.0.0.1");
            guest.isAdmitted();
            guest.isIdle();
        }
        arrive("a4", "10.0.0.1");

        arrive("a5", "10.0.0.1");

        assertThat(closed).containsExactly("a4");
    }

    @Test
    void whereSomeOfAPlaceLeaveTheOthersStillCount() {
        List<Visitors.Visitor> guests = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            Visitors.Visitor guest = arrive("a" + i, "10.0.0.1");
            guest.isAdmitted();
            guests.add(guest);
        }
        guests.get(0).leaves();
        arrive("a5", "10.0.0.1").isAdmitted();
        assertThat(closed).isEmpty();

        arrive("a6", "10.0.0.1");

        assertThat(closed).containsExactly("a6");
    }

    @Test
    void nothingIsKeptOfAPlaceThatAllHaveLeft() {
        Visitors.Visitor one = arrive("a1", "10.0.0.1");
        Visitors.Visitor two = arrive("a2", "10.0.0.1");
        one.leaves();
        two.isAdmitted();
        two.leaves();

        assertThat(visitors).extracting("places", InstanceOfAssertFactories.MAP).isEmpty();
    }

    @Test
    void allAreClosedAtTheEnd() {
        Visitors.Visitor guest = arrive("a1", "10.0.0.1");
        guest.isAdmitted();
        arrive("b1", "10.0.0.2");

        visitors.closeAll();

        assertThat(closed).containsExactlyInAnyOrder("a1", "b1");
        assertThat(visitors.count()).isZero();
        assertThat(guest.isIn()).isFalse();
    }

    @Test
    void whoLeavesMakesRoom() {
        Visitors.Visitor first = arrive("a1", "10.0.0.1");
        arrive("a2", "10.0.0.1");
        arrive("a3", "10.0.0.1");
        first.leaves();

        arrive("a4", "10.0.0.1");

        assertThat(closed).isEmpty();
    }

    @Test
    void whoWasAdmittedAndLeftCountsNoMore() {
        for (int i = 0; i < 10; i++) {
            Visitors.Visitor guest = arrive("guest" + i, "10.0.0.1");
            guest.isAdmitted();
            guest.leaves();
        }
        for (int i = 1; i <= 4; i++) {
            arrive("a" + i, "10.0.0.1").isAdmitted();
        }

        assertThat(closed).isEmpty();
        assertThat(visitors.count()).isEqualTo(4);
    }

    @Test
    void aNetworkOfIpv6IsOnePlace() {
        arrive("a1", "2001:db8::1");
        arrive("a2", "2001:db8::2");
        arrive("a3", "2001:db8::ffff:3");

        arrive("a4", "2001:db8::4");

        assertThat(closed).containsExactly("a1");
    }

    @Test
    void anotherNetworkOfIpv6IsAnotherPlace() {
        arrive("a1", "2001:db8::1");
        arrive("a2", "2001:db8::2");
        arrive("a3", "2001:db8::3");

        arrive("b1", "2001:db8:0:1::1");

        assertThat(closed).isEmpty();
    }

    @Test
    void ofAnswersThatAreNotReadTheOldestIsGivenUp() {
        Visitors.Visitor first = arrive("a1", "10.0.0.1");
        Visitors.Visitor second = arrive("b1", "10.0.0.2");
        Visitors.Visitor third = arrive("c1", "10.0.0.3");
        first.reads(60);
        second.reads(40);
        assertThat(closed).isEmpty();

        third.reads(50);

        assertThat(closed).containsExactly("a1");
    }

    @Test
    void asManyAnswersAreGivenUpAsMustBe() {
        Visitors.Visitor first = arrive("a1", "10.0.0.1");
        Visitors.Visitor second = arrive("b1", "10.0.0.2");
        Visitors.Visitor third = arrive("c1", "10.0.0.3");
        first.reads(60);
        second.reads(40);

        third.reads(100);

        assertThat(closed).containsExactly("a1", "b1");
    }

    @Test
    void anAnswerThatWasTakenOrWhoseReaderLeftCountsNoMore() {
        Visitors.Visitor first = arrive("a1", "10.0.0.1");
        Visitors.Visitor second = arrive("b1", "10.0.0.2");
        Visitors.Visitor third = arrive("c1", "10.0.0.3");
        first.reads(60);
        first.isIdle();
        second.reads(60);
        second.reads(40);
        assertThat(closed).as("it took its answer").isEmpty();
        first.leaves();
        first.reads(60);

        third.reads(60);

        assertThat(closed).as("it has left").isEmpty();
    }

    @Test
    void anAnswerThatIsLongerThanAllMayBeIsSentAlone() {
        Visitors.Visitor first = arrive("a1", "10.0.0.1");
        Visitors.Visitor second = arrive("b1", "10.0.0.2");
        first.reads(60);

        second.reads(101);

        assertThat(closed).containsExactly("a1");
        assertThat(second.isIn()).isTrue();
    }

    private Visitors.Visitor arrive(String name, String from) {
        try {
            return visitors.arrives(InetAddress.getAllByName(from)[0], () -> closed.add(name));
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException(from, e);
        }
    }
}
