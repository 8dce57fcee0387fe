package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.ZooKeeperServer;
import dev.incumbent.time.SystemTimeline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZKUtil;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.ACL;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Whoever has an identity, by SASL or by digest, keeps its nodes from strangers. Alone in its JVM while it runs, for a login is the JVM's. */
@Tag("realtime")
@Isolated
class IdentityTest {
    private static final String PASSWORD = "s3cret";
    private static final String BY_DIGEST = "?user=ada&password=" + PASSWORD;
    private static final ZooKeeperServer SERVER = ZooKeeperServer.startWithSasl(Servers.TICK, PASSWORD, "ada", "bob");

    private final SystemTimeline timeline = new SystemTimeline();
    private final String root = "/" + UUID.randomUUID();

    @AfterEach
    void close() {
        ZooKeeperLogin.asNobody();
        timeline.close();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void aStrangerCanNeitherReadNorChangeNorDeleteWhatASaslIdentityMade() throws Exception {
        ZooKeeperLogin.as("ada", PASSWORD);
        try (Coordinator mine = open("")) {
            isUsed(mine);

            isClosedToStrangers(allNodes(""));
        }
    }

    @Test
    void aStrangerCanNeitherReadNorChangeNorDeleteWhatAUserOfTheUriMade() throws Exception {
        try (Coordinator mine = open(BY_DIGEST)) {
            isUsed(mine);

            isClosedToStrangers(allNodes("ada:" + PASSWORD));
        }
    }

    @Test
    void anotherIdentityOfTheEnsembleIsAStrangerAtTheSamePath() {
        ZooKeeperLogin.as("ada", PASSWORD);
        try (Coordinator mine = open("")) {
            isUsed(mine);
        }

        ZooKeeperLogin.as("bob", PASSWORD);
        try (Coordinator theirs = open("")) {
            assertThat(Asking.failure(theirs.elections("")))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("no permission");
        }
    }

    @Test
    void nodesThatAnybodyMayChangeAreToldToWhoeverHasAnIdentity() {
        try (Coordinator open = open("")) {
            isUsed(open);
        }

        ZooKeeperLogin.as("ada", PASSWORD);
        try (Coordinator mine = open("")) {
            assertThat(Asking.failure(mine.elections("")))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("its node " + root + "/e may be changed by anybody")
                    .hasMessageContaining("setAcl -R");
        }
        ZooKeeperLogin.asNobody();
        try (Coordinator mine = open(BY_DIGEST)) {
            assertThat(Asking.failure(mine.elections(""))).hasMessageContaining("may be changed by anybody");
        }
    }

    @Test
    void nodesThatWereTakenOverServeTheirIdentity() throws Exception {
        try (Coordinator open = open("")) {
            isUsed(open);
        }

        Plain.at(SERVER.hostPort(), client -> {
            client.addAuthInfo("digest", ("ada:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
            for (String path : ZKUtil.listSubTreeBFS(client, root)) {
                client.setACL(path, Ids.CREATOR_ALL_ACL, -1);
            }
            return true;
        });

        try (Coordinator mine = open(BY_DIGEST)) {
            assertThat(Asking.found(mine).record().term()).isEqualTo(1);
            isClosedToStrangers(allNodes("ada:" + PASSWORD));
        }
    }

    /** What lies beneath the four is not looked at. */
    @Test
    void nodesDeeperInThePathAreNotChecked() {
        try (Coordinator open = open("")) {
            isUsed(open);
        }

        Plain.at(SERVER.hostPort(), client -> {
            client.addAuthInfo("digest", ("ada:" + PASSWORD).getBytes(StandardCharsets.UTF_8));
            for (String kind : new Nodes(root).kinds()) {
                client.setACL(kind, Ids.CREATOR_ALL_ACL, -1);
            }
            return true;
        });

        try (Coordinator mine = open(BY_DIGEST)) {
            assertThat(Asking.found(mine).record().term()).isEqualTo(1);
        }
        List<ACL> deeper =
                Plain.at(SERVER.hostPort(), client -> client.getACL(new Nodes(root).record(Asking.ELECTION), null));
        assertThat(deeper).as("still anybody's").isEqualTo(Ids.OPEN_ACL_UNSAFE);
    }

    @Test
    void eachOfSeveralIdentitiesHasTheRights() {
        ZooKeeperLogin.as("ada", PASSWORD);
        try (Coordinator mine = open(BY_DIGEST)) {
            isUsed(mine);
        }
        ZooKeeperLogin.asNobody();

        try (Coordinator byDigest = open(BY_DIGEST)) {
            assertThat(Asking.found(byDigest).record().term()).isEqualTo(1);
        }
        ZooKeeperLogin.as("ada", PASSWORD);
        try (Coordinator bySasl = open("")) {
            assertThat(Asking.found(bySasl).record().term()).isEqualTo(1);
        }
    }

    @Test
    void whereTheServerTakesNoSaslNothingIsWrittenAndThatIsTold() {
        String server = Servers.shared().hostPort();
        ZooKeeperLogin.as("ada", PASSWORD);

        try (Coordinator mine = openAt(server, "")) {
            assertThat(Asking.failure(mine.elections("")))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("refuses the credentials given, by SASL");
        }

        ZooKeeperLogin.asNobody();
        List<String> all = Plain.at(server, plain -> plain.getChildren("/", false));
        assertThat(all).doesNotContain(root.substring(1));
    }

    private Coordinator open(String parameters) {
        return openAt(SERVER.hostPort(), parameters);
    }

    private Coordinator openAt(String server, String parameters) {
        String at = "zk://" + server + root + parameters;
        return new ZooKeeperCoordinatorProvider().open(at, timeline, Duration.ofSeconds(5), Mode.CREATE);
    }

    private static void isUsed(Coordinator client) {
        LeaseId lease = Asking.granted(client, Duration.ofSeconds(5)).id();
        Asking.swapped(client, Revision.ABSENT, Asking.claim(1, lease));
        Asking.get(client.enlist(Asking.ELECTION, Asking.enlisted(lease)));
        assertThat(Asking.found(client).record().term()).isEqualTo(1);
    }

    /** As their owner sees them. */
    private List<String> allNodes(String digest) {
        List<String> all = Plain.at(SERVER.hostPort(), client -> {
            if (!digest.isEmpty()) {
                client.addAuthInfo("digest", digest.getBytes(StandardCharsets.UTF_8));
            }
            return ZKUtil.listSubTreeBFS(client, root);
        });
        assertThat(all).hasSizeGreaterThanOrEqualTo(10);
        return all;
    }

    private void isClosedToStrangers(List<String> paths) throws Exception {
        ZKClientConfig nobody = new ZKClientConfig();
        nobody.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        ZooKeeper stranger = new ZooKeeper(SERVER.hostPort(), 10_000, event -> {}, nobody);
        try {
            for (String path : paths) {
                isRefused(() -> stranger.getData(path, false, null));
                isRefused(() -> stranger.setData(path, new byte[0], -1));
                if (!path.equals(root)) {
                    isRefused(() -> stranger.delete(path, -1));
                }
            }
        } finally {
            stranger.close();
        }
    }

    private static void isRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(KeeperException.NoAuthException.class);
    }
}
