package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A host name with two addresses, of which the second alone is a node's. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("field")
@Tag("patient")
final class SeveralAddressesTest {
    private static final String HOST = "several.test";
    private static final String FIRST = "127.0.0.3";
    private static final ElectionName BILLING = new ElectionName("billing");

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        assertThat(InetAddress.getAllByName(HOST))
                .extracting(InetAddress::getHostAddress)
                .containsExactly(FIRST, "127.0.0.1");
        try (SystemTimeline timeline = new SystemTimeline();
                ScriptedNode node = ScriptedNode.answering("n1", "ELECTIONS\tbilling");
                Coordinator client = client(node, timeline, Duration.ofSeconds(20))) {
            assertThat(Calling.joined(client.elections(""))).containsExactly(BILLING);
        }
    }

    /** By what nodes ask each other: what is passed on, the levels, the rolls. */
    @Test
    void aNodeLeavesAnAddressThatRefusesConnectionsForTheNext() throws Exception {
        try (ScriptedNode node = ScriptedNode.answering("n1", "ELECTIONS\tbilling")) {
            Peering peering = new Peering(Tokens.none(), Optional.empty());
            Member there = new Member("n1", HOST, port(node), 1);
            HttpRequest asks = peering.request(there, Words.CALLS)
                    .POST(HttpRequest.BodyPublishers.ofString("ELECTIONS\t"))
                    .build();

            assertThat(peering.client()
                            .send(asks, HttpResponse.BodyHandlers.ofString())
                            .body())
                    .contains("billing");
        }
    }

    /** A call that is late makes the next one go elsewhere. */
    @Test
    @Tag("realtime")
    void anAddressThatDoesNotAnswerIsLeftForTheNext() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                ScriptedNode node = ScriptedNode.answering("n1", "ELECTIONS\tbilling");
                ServerSocket silent = new ServerSocket(port(node), 50, InetAddress.getByName(FIRST));
                Coordinator client = client(node, timeline, Duration.ofSeconds(2))) {
            assertThat(silent.isBound()).isTrue();
            assertThatThrownBy(() -> Calling.joined(client.elections(""))).isInstanceOf(CoordinatorException.class);

            assertThat(Calling.joined(client.elections(""))).containsExactly(BILLING);
        }
    }

    private static Coordinator client(ScriptedNode node, SystemTimeline timeline, Duration requestTimeout) {
        String uri = "quorum://" + HOST + ":" + port(node);
        return new QuorumCoordinatorProvider().open(uri, timeline, requestTimeout, Mode.CREATE);
    }

    private static int port(ScriptedNode node) {
        String at = node.hostPort();
        return Integer.parseInt(at.substring(at.lastIndexOf(':') + 1));
    }
}
