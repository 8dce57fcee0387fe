package dev.incumbent.fence.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.ZooKeeperServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rights that {@code docs/sinks/zookeeper.md} names are enough, and what they leave out is refused: on a ZooKeeper, by users of its scheme digest. */
final class ZooKeeperRightsTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName CLOSER = new ElectionName("billing/closer");
    private static final String ADA = "?user=ada&password=s3cret-a";
    private static final String BOB = "?user=bob&password=s3cret-b";
    private static final int ALL_BUT_ADMIN = Perms.ALL & ~Perms.ADMIN;
    private static final ZooKeeperServer SERVER = ZooKeeperServer.start(Duration.ofMillis(500));

    private final ZooKeeperSinkProvider provider = new ZooKeeperSinkProvider();
    private final String parent = "/" + UUID.randomUUID();
    private final String root = parent + "/incumbent";
    private final String url = "zk://" + SERVER.hostPort() + root;
    private final ZooKeeper ada = client("ada:s3cret-a");
    private final ZooKeeper bob = client("bob:s3cret-b");

    ZooKeeperRightsTest() throws Exception {}

    /** Above the path ada may create, and all may read, no more. The ledger is open. */
    @BeforeEach
    void grant() throws Exception {
        ada.create(
                parent,
                new byte[0],
                Arrays.asList(
                        right(Perms.CREATE | Perms.READ, "ada:s3cret-a"), new ACL(Perms.READ, Ids.ANYONE_ID_UNSAFE)),
                CreateMode.PERSISTENT);
        ada.create(ledger(), new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    @AfterEach
    void leave() throws Exception {
        ada.close();
        bob.close();
    }

    @AfterAll
    static void stop() {
        SERVER.close();
    }

    @Test
    void whoMayCreateAndReadAboveThePathInstallsAndThenRaisesAndWritesAsTheSameIdentity() throws Exception {
        provider.install(url + ADA);
        assertThat(raise(ADA, 7)).isEqualTo(new Raise.Raised(mark(7)));
        write(ada, 7, "of 7");

        assertThat(raise(ADA, 8)).isEqualTo(new Raise.Raised(mark(8)));

        assertThatThrownBy(() -> write(ada, 7, "late")).isInstanceOf(StaleTokenException.class);
        assertThat(written()).isEqualTo("of 7");
    }

    @Test
    void whoMayNotCreateAboveThePathCannotInstall() {
        assertRefused(BOB, () -> provider.install(url + BOB));
        assertRefused("", () -> provider.install(url));
    }

    @Test
    void whoMayNotReadANodeAboveThePathCannotInstallThoughItMayCreate() throws Exception {
        String hidden = "/" + UUID.randomUUID();
        ada.create(hidden, new byte[0], Arrays.asList(right(Perms.CREATE, "ada:s3cret-a")), CreateMode.PERSISTENT);

        assertThatThrownBy(() -> provider.install("zk://" + SERVER.hostPort() + hidden + "/incumbent" + ADA))
                .hasMessageEndingWith("no permission for installing it as user ada");
    }

    @Test
    void anotherIdentityRaisesWithAllButAdminOnTheNodeF() throws Exception {
        provider.install(url + ADA);
        ada.setACL(
                root + "/f", Arrays.asList(right(Perms.ALL, "ada:s3cret-a"), right(ALL_BUT_ADMIN, "bob:s3cret-b")), -1);

        assertThat(raise(BOB, 7)).isEqualTo(new Raise.Raised(mark(7)));
        assertThat(raise(BOB, 8)).isEqualTo(new Raise.Raised(mark(8)));

        write(bob, 8, "of 8");
        assertThat(written()).isEqualTo("of 8");
        assertRefused(ADA, () -> raise(ADA, 9));
    }

    /** As the page says: the marks that were made without an identity are its own from then on. */
    @Test
    void theSetAclOfThePageTakesAnOpenSinkOver() throws Exception {
        ada.create(root, new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        provider.install(url);
        raise("", 7);
        assertThatThrownBy(() -> raise(ADA, 8)).hasMessageContaining("may be changed by anybody");

        SERVER.zkCli("addauth digest ada:s3cret-a", "setAcl -R " + root + "/f auth::cdrwa");

        assertTheMarkIs7();
        assertThat(raise(ADA, 8)).isEqualTo(new Raise.Raised(mark(8)));
        assertRefused("", () -> raise("", 9));
        assertRefused(BOB, () -> raise(BOB, 9));
    }

    /** It would have to read the node of the token, which belongs to who raised, and each raise makes a new one. */
    @Test
    void aWriterOfAnotherIdentityWritesOnlyUntilTheNextRaiseWhateverWasGranted() throws Exception {
        installAndRaise();
        assertThatThrownBy(() -> write(bob, 7, "of 7")).isInstanceOf(KeeperException.NoAuthException.class);
        letBobRead("/f", "/f/billing:closer", "/f/billing:closer/t-7");
        write(bob, 7, "of 7");

        raise(ADA, 8);

        assertThatThrownBy(() -> write(bob, 8, "of 8")).isInstanceOf(KeeperException.NoAuthException.class);
        assertThat(written()).isEqualTo("of 7");
    }

    @Test
    void whoMayOnlyReadTheMarksCanNeitherRaiseNorChangeThem() throws Exception {
        installAndRaise();
        letBobRead("/f", "/f/billing:closer", "/f/billing:closer/t-7");

        assertRefused(BOB, () -> raise(BOB, 8));
        for (String node : List.of("/f", "/f/billing:closer", "/f/billing:closer/t-7")) {
            assertThatThrownBy(() -> write(bob, 7, Op.setData(root + node, new byte[0], -1)))
                    .isInstanceOf(KeeperException.NoAuthException.class);
        }
        assertThatThrownBy(() -> write(bob, 7, Op.delete(root + "/f/billing:closer/t-7", -1)))
                .isInstanceOf(KeeperException.NoAuthException.class);
        Op planted = Op.create(root + "/f/billing:closer/t-6", new byte[0], Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        assertThatThrownBy(() -> write(bob, 7, planted)).isInstanceOf(KeeperException.NoAuthException.class);

        assertTheMarkIs7();
    }

    @Test
    void whoHasNoRightsIsRefusedInOneSentenceWithoutASecret() throws Exception {
        installAndRaise();

        assertRefused(BOB, () -> raise(BOB, 8));
        assertRefused("", () -> raise("", 8));
        assertRefused("?user=ada&password=s3cret-but-wrong", () -> raise("?user=ada&password=s3cret-but-wrong", 8));

        assertTheMarkIs7();
    }

    private void installAndRaise() {
        provider.install(url + ADA);
        raise(ADA, 7);
    }

    private void letBobRead(String... nodes) throws Exception {
        for (String node : nodes) {
            ada.setACL(
                    root + node,
                    Arrays.asList(right(Perms.ALL, "ada:s3cret-a"), right(Perms.READ, "bob:s3cret-b")),
                    -1);
        }
    }

    private void assertTheMarkIs7() {
        try (Sink sink = provider.open(url + ADA, BOUND)) {
            assertThat(sink.marks().toCompletableFuture().join().marks()).isEqualTo(Map.of(CLOSER, mark(7)));
        }
    }

    private void assertRefused(String login, ThrowingCallable call) {
        String whom = login.isEmpty() ? "without a user" : "as user " + login.replaceAll(".*user=(.*)&.*", "$1");
        assertThatThrownBy(call)
                .isInstanceOf(SinkException.class)
                .hasMessageStartingWith(url + ": no permission for ")
                .hasMessageEndingWith(" " + whom)
                .hasMessageNotContaining("s3cret");
    }

    private Raise raise(String login, long token) {
        try (Sink sink = provider.open(url + login, BOUND)) {
            return sink.raise(CLOSER, mark(token)).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof SinkException known ? known : failure;
        }
    }

    private void write(ZooKeeper client, long token, String text) throws Exception {
        write(client, token, Op.setData(ledger(), text.getBytes(StandardCharsets.UTF_8), -1));
    }

    private void write(ZooKeeper client, long token, Op operation) throws Exception {
        FencedWrite write = ZooKeeperFence.over(client, root).begin();
        write.admit(CLOSER, new FencingToken(token));
        write.add(operation).commit();
    }

    private String written() throws Exception {
        return new String(ada.getData(ledger(), false, new Stat()), StandardCharsets.UTF_8);
    }

    private String ledger() {
        return parent + "/ledger";
    }

    private static ACL right(int perms, String login) throws Exception {
        return new ACL(perms, new Id("digest", DigestAuthenticationProvider.generateDigest(login)));
    }

    private static ZooKeeper client(String login) throws Exception {
        ZooKeeper client = new ZooKeeper(SERVER.hostPort(), 10_000, event -> {});
        client.addAuthInfo("digest", login.getBytes(StandardCharsets.UTF_8));
        return client;
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("ops@host"));
    }
}
