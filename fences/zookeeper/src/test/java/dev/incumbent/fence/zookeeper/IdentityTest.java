package dev.incumbent.fence.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ZooKeeperServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** The marks of whoever has an identity are closed to strangers. Alone in its JVM while it runs, for a login is the JVM's. */
@Isolated
final class IdentityTest {
    private static final String PASSWORD = "s3cret";
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final ZooKeeperServer SERVER =
            ZooKeeperServer.startWithSasl(Duration.ofMillis(500), PASSWORD, "ada");

    private final ZooKeeperSinkProvider provider = new ZooKeeperSinkProvider();
    private final String root = "/" + UUID.randomUUID();
    private final String url = "zk://" + SERVER.hostPort() + root;

    @AfterEach
    void logOut() {
        ZooKeeperLogin.asNobody();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void aStrangerCanNeitherChangeNorDeleteWhatASaslIdentityMade() throws Exception {
        ZooKeeperLogin.as("ada", PASSWORD);
        provider.install(url);
        try (Sink mine = provider.open(url, BOUND)) {
            assertThat(answer(mine.raise(BILLING, mark()))).isInstanceOf(Raise.Raised.class);
        }

        ZKClientConfig nobody = new ZKClientConfig();
        nobody.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        ZooKeeper stranger = new ZooKeeper(SERVER.hostPort(), 10_000, event -> {}, nobody);
        try {
            for (String path : List.of(root + "/f", root + "/f/billing:closer", root + "/f/billing:closer/t-7")) {
                assertThatThrownBy(() -> stranger.setData(path, new byte[0], -1))
                        .isInstanceOf(KeeperException.NoAuthException.class);
                assertThatThrownBy(() -> stranger.delete(path, -1)).isInstanceOf(KeeperException.NoAuthException.class);
            }
        } finally {
            stranger.close();
        }
    }

    @Test
    void aSinkThatAnybodyMayChangeIsToldToWhoeverHasAnIdentity() {
        provider.install(url);

        ZooKeeperLogin.as("ada", PASSWORD);
        try (Sink mine = provider.open(url, BOUND)) {
            assertThatThrownBy(() -> answer(mine.raise(BILLING, mark())))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("its node " + root + "/f may be changed by anybody");
            assertThatThrownBy(() -> provider.install(url)).hasMessageContaining("may be changed by anybody");
        }
    }

    private static Mark mark() {
        return new Mark(new FencingToken(7), MarkOwner.ofOperator("ops@host"));
    }

    private static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof SinkException known ? known : e;
        }
    }
}
