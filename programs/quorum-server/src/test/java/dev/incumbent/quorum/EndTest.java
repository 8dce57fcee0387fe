package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What ends a node, and what does not; a quorum of one is enough for that. */
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class EndTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(300);

    private final TemporaryFolder folder = TemporaryFolder.create("end");
    private final List<Integer> ports = FreePorts.some(2);
    private final Member only = Member.of("n1=127.0.0.1:" + ports.get(0) + "/" + ports.get(1));

    @AfterEach
    void clear() {
        folder.close();
    }

    /** Ratis would end the JVM with status 1. */
    @Test
    void aPortForTheNodesThatIsTakenIsNamedAndCostsNobodyTheJvm() throws Exception {
        try (ServerSocket other = new ServerSocket(ports.get(1), 1, InetAddress.getLoopbackAddress())) {
            for (int attempt = 1; attempt <= 2; attempt++) {
                assertThatThrownBy(() -> QuorumNode.start(settings(), said -> {}))
                        .isInstanceOf(BindException.class)
                        .hasMessageContaining("127.0.0.1:" + other.getLocalPort());
            }
        }

        QuorumNode.start(settings(), said -> {}).close();
    }

    /** Ratis would end the JVM with status 255. */
    @Test
    void whatNobodyCatchesIsToldToWhomItWasBefore() throws Exception {
        String before = handler();

        QuorumNode node = QuorumNode.start(settings(), said -> {});
        String meanwhile = handler();
        node.close();

        assertThat(meanwhile).isEqualTo(before).doesNotContain("ratis");
    }

    private static String handler() {
        return String.valueOf(Thread.getDefaultUncaughtExceptionHandler());
    }

    /** Its ports are free when it returns. */
    @Test
    void anInterruptDoesNotCutTheEndOfANodeAndStaysSet() throws Exception {
        QuorumNode node = QuorumNode.start(settings(), said -> {});
        Thread.currentThread().interrupt();

        node.close();

        assertThat(Thread.interrupted()).isTrue();
        try (ServerSocket next = new ServerSocket(ports.get(1), 1, InetAddress.getLoopbackAddress())) {
            assertThat(next.isBound()).isTrue();
        }
    }

    @Test
    void aNodeWithAThreadThatFailedEndsAndNamesIt() throws Exception {
        try (QuorumNode node = QuorumNode.start(settings(), said -> {})) {
            node.fails(new Thread(() -> {}, "some-worker"), new IllegalStateException("no way"));

            QuorumNode.End end = node.awaitEnd().orElseThrow();
            assertThat(end.cause()).isEqualTo(QuorumNode.Cause.FAULT);
            assertThat(end.why())
                    .isEqualTo("node n1 ends: its thread some-worker failed (java.lang.IllegalStateException: no way);"
                            + " all that it acknowledged is there: start it again");
        }
    }

    /** As where somebody cleans up below the node. Ratis closes its part once it begins the log's next file, and the process would go on. */
    @Test
    @Tag("field")
    void aNodeWhoseLogIsTakenAwayEndsAndSaysWhatBecameOfItsPart() throws Exception {
        try (QuorumNode node = QuorumNode.start(settings(), said -> {})) {
            Waiting.until("a first call", () -> swapped(1_000).contains(Words.ACCEPTED));
            for (Path file : openFiles()) {
                Files.delete(file);
            }
            CompletableFuture<QuorumNode.End> end = CompletableFuture.supplyAsync(() -> endOf(node));

            assertThat(Waiting.within(Duration.ofMinutes(1), () -> {
                        swapped(600_000);
                        return end.isDone();
                    }))
                    .as("its end")
                    .isTrue();

            assertThat(end.join().cause()).isEqualTo(QuorumNode.Cause.FAULT);
            assertThat(end.join().why())
                    .isEqualTo("node n1 ends: Ratis has closed its part in the replication; all that it acknowledged"
                            + " is there: start it again");
            assertThat(health(Health.LIVE)).isEqualTo(503);
        }
    }

    private static QuorumNode.End endOf(QuorumNode node) {
        try {
            return node.awaitEnd().orElseThrow();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The answer to a swap into an election of its own, of a record of that length. */
    private String swapped(int length) {
        String swap = Line.of(Words.SWAP, "office/" + UUID.randomUUID(), "", "n-1", "", "x".repeat(length));
        return Calling.post(ports.get(0), Words.CALLS, Line.body(List.of(swap)), Optional.empty())
                .body();
    }

    private int health(String path) {
        return Calling.post(ports.get(0), path, "", Optional.empty()).statusCode();
    }

    private List<Path> openFiles() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("n1"))) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_inprogress_"))
                    .toList();
        }
    }

    /** By default Ratis leaves after a pause of a minute, and the process goes on. {@link TroubleTest} shows it on processes. */
    @Test
    @Tag("field")
    void noPauseIsTooLong() {
        RaftProperties options = RaftOptions.of(
                folder.resolve("n1"), only, new RaftOptions.Choices(ELECTION_TIMEOUT, 100, Optional.empty()));

        assertThat(RaftServerConfigKeys.closeThreshold(options).toLong(TimeUnit.DAYS))
                .isGreaterThan(3_650);
    }

    private NodeSettings settings() {
        Path data = folder.resolve("n1");
        return new NodeSettings(
                List.of(only),
                "n1",
                data,
                Tokens.none(),
                Optional.empty(),
                NodeSettings.Coming.AS_IT_IS,
                ELECTION_TIMEOUT,
                NodeSettings.SNAPSHOT_EVERY);
    }
}
