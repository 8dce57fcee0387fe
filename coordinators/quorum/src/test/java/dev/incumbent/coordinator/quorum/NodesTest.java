package dev.incumbent.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.Nodes.Node;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which nodes a client asks, in which order, and what it learns of them. */
class NodesTest {
    private static final Node H1 = new Node("h1", 1);
    private static final Node H2 = new Node("h2", 2);
    private static final Node H3 = new Node("h3", 3);

    private final Nodes nodes = new Nodes(List.of(H1, H2, H3));

    @Test
    void theyAreAskedInTurnFromTheOneThatLeadsOn() {
        nodes.isNamed(H2, "n2");
        nodes.leads("n2");
        assertThat(order()).containsExactly(H2, H3, H1);

        nodes.failed(H1);
        assertThat(order()).as("another one failed").containsExactly(H2, H3, H1);
        nodes.failed(H2);
        assertThat(order()).containsExactly(H3, H1, H2);
        nodes.failed(H3);
        assertThat(order()).containsExactly(H1, H2, H3);
    }

    @Test
    void whoLeadsIsLookedForAmongThoseThatHaveNotSaidTheirName() {
        nodes.isNamed(H1, "n1");
        nodes.leads("n9");

        assertThat(order()).first().isEqualTo(H2);
    }

    @Test
    void aLaterListTakesThePlaceOfAnEarlierOne() {
        nodes.isNamed(H2, "n2");
        nodes.leads("n2");

        nodes.listed("57 n1=h1:1 n4=h4:4 n5=[::1]:5");

        assertThat(order()).containsExactly(H1, new Node("h4", 4), new Node("::1", 5));
        assertThat(nodes.listedAt()).isEqualTo(57);
        nodes.leads("n2");
        assertThat(order()).as("n2 is gone").doesNotContain(H2);
        nodes.listed("57 n2=h2:2");
        nodes.listed("56 n2=h2:2");
        assertThat(order()).doesNotContain(H2);
    }

    @Test
    void whoeverLeadsIsAskedFirstInTheNewListToo() {
        nodes.isNamed(H2, "n2");
        nodes.leads("n2");

        nodes.listed("57 n1=h1:1 n2=h2:2 n4=h4:4");

        assertThat(order()).containsExactly(H2, new Node("h4", 4), H1);
    }

    /** As where a proxy stands before each node. */
    @Test
    void addressesOfWhichNoneIsKnownAreNotAsked() {
        nodes.listed("57 n1=10.0.0.1:1 n2=10.0.0.2:2 n3=10.0.0.3:3");

        assertThat(order()).containsExactly(H1, H2, H3);
        assertThat(nodes.listedAt()).as("it need not be told again").isEqualTo(57);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "57", "x n1=h4:4", "57 n1", "57 n1=h4:4 n2=h5", "57  n1=h4:4", "99999999999999999999 n1=h4:4"
            })
    void whatIsNotUnderstoodChangesNothing(String told) {
        nodes.listed(told);

        assertThat(order()).containsExactly(H1, H2, H3);
        assertThat(nodes.listedAt()).isZero();
    }

    private List<Node> order() {
        List<Node> order = new ArrayList<>();
        Set<Node> asked = new HashSet<>();
        for (Optional<Node> next = nodes.next(asked); next.isPresent(); next = nodes.next(asked)) {
            order.add(next.get());
            asked.add(next.get());
        }
        return order;
    }
}
