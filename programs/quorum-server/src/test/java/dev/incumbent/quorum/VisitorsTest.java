package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
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
        late.isAdmitted();
        late.isIdle();
        early.isAdmitted();
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
    void whoLeavesMakesRoom() {
        Visitors.Visitor first = arrive("a1", "10.0.0.1");
        arrive("a2", "10.0.0.1");
        arrive("a3", "10.0.0.1");
        first.leaves();

        arrive("a4", "10.0.0.1");

        assertThat(closed).isEmpty();
    }

    @Test
    void aNetworkOfIpv6IsOnePlace() {
        arrive("a1", "2001:db8::1");
        arrive("a2", "2001:db8::2");
        arrive("a3", "2001:db8::ffff:3");
        arrive("b1", "2001:db8:0:1::1");

        arrive("a4", "2001:db8::4");

        assertThat(closed).containsExactly("a1");
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
