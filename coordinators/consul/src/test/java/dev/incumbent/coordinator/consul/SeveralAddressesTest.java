package dev.incumbent.coordinator.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.ConsulServer;
import dev.incumbent.time.SystemTimeline;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A host name with two addresses, of which the second alone is a Consul's. The JDK takes the name from the file {@code hosts} of the test's resources. One test at a
 * time: they share a port.
 */
@Tag("field")
@Tag("realtime")
@Execution(ExecutionMode.SAME_THREAD)
final class SeveralAddressesTest {
    private static final String HOST = "several.test";
    private static final String FIRST = "127.0.0.3";
    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final Duration LEASE = Duration.ofSeconds(9);
    private static final Duration REQUEST = Duration.ofSeconds(4);
    private static ConsulServer server;
    private static SystemTimeline timeline;

    @BeforeAll
    static void start() {
        server = ConsulServer.start(ConsulServer.Access.OPEN, SHORTEST);
        timeline = new SystemTimeline();
    }

    @AfterAll
    static void stop() {
        timeline.close();
        server.close();
    }

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        assertThat(InetAddress.getAllByName(HOST))
                .extracting(InetAddress::getHostAddress)
                .containsExactly(FIRST, "127.0.0.1");
        try (Coordinator client = open()) {
            assertServed(client);
        }
    }

    /** A call that is late makes the next one go elsewhere. */
    @Test
    void anAddressThatDoesNotAnswerIsLeftForTheNext() throws Exception {
        try (ServerSocket silent = new ServerSocket(server.port(), 50, InetAddress.getByName(FIRST));
                Coordinator client = open()) {
            assertThat(silent.isBound()).isTrue();
            assertThatThrownBy(() -> answer(client.elections(""))).hasCauseInstanceOf(CoordinatorException.class);

            assertServed(client);
        }
    }

    private static void assertServed(Coordinator client) {
        LeaseId lease =
                answer(client.grant(new CandidateId("ada@host-1-x"), LEASE)).id();
        answer(client.keepAlive(lease));
        assertThat(answer(client.elections("nothing/"))).isEmpty();
        answer(client.revoke(lease));
    }

    private static <T> T answer(CompletionStage<T> call) {
        return call.toCompletableFuture().join();
    }

    private static Coordinator open() {
        String uri = "consul://" + HOST + ":" + server.port() + "/several?session-ttl-min-ms=" + SHORTEST.toMillis();
        return new ConsulCoordinatorProvider().open(uri, timeline, REQUEST, Mode.CREATE);
    }
}
