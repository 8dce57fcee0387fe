package dev.incumbent.fence.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.EtcdServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rights that {@code docs/sinks/etcd.md} names are enough, and what they leave out is refused: on an etcd that demands logins. */
@Tag("trial")
class EtcdRightsTest {
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final ElectionName CLOSER = new ElectionName("billing/closer");
    private static final String INSTALLER = "installer:s3cret-i";
    private static final String LEADER = "leader:s3cret-l";
    private static final String WRITER = "writer:s3cret-w";
    private static final String LOOKER = "looker:s3cret-o";
    private static final String STRANGER = "stranger:s3cret-s";

    private final EtcdSinkProvider provider = new EtcdSinkProvider();
    private final EtcdServer server = EtcdServer.start();

    @BeforeEach
    void grant() {
        add(INSTALLER, "readwrite /app/sink");
        add(LEADER, "read /app/sink", "--prefix=true readwrite /app/f/", "--prefix=true readwrite /app/o/");
        add(WRITER, "--prefix=true read /app/f/", "--prefix=true read /app/o/", "--prefix=true readwrite /ledger/");
        add(LOOKER, "--prefix=true read /app/");
        add(STRANGER, "--prefix=true readwrite /ledger/");
        server.demandLogins();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theRightsOfThePageAreEnoughToInstallToRaiseToWriteAndToLook() throws Exception {
        provider.install(url(INSTALLER));
        assertThat(raise(LEADER, 7)).isEqualTo(new Raise.Raised(mark(7)));
        write(WRITER, 7, "/ledger/1");

        assertThat(raise(LEADER, 8)).isEqualTo(new Raise.Raised(mark(8)));

        assertThatThrownBy(() -> write(WRITER, 7, "/ledger/2")).isInstanceOf(StaleTokenException.class);
        assertThat(server.etcdctl("get", "--prefix", "--keys-only", "/ledger/").strip())
                .isEqualTo("/ledger/1");
        try (Sink sink = provider.open(url(LOOKER), BOUND)) {
            assertThat(sink.marks().toCompletableFuture().join().marks()).isEqualTo(Map.of(CLOSER, mark(8)));
        }
    }

    @Test
    void aWriterCannotRaiseTheMark() throws Exception {
        installAndRaise();

        assertDenied(() -> raise(WRITER, 8));

        assertTheMarkIs7();
    }

    /** Neither beside a fenced write of its own, nor by the key that says who set the mark. */
    @Test
    void aWriterCanNeitherChangeNorDeleteTheMark() throws Exception {
        installAndRaise();

        for (String key : new String[] {"/app/f/billing/closer", "/app/o/billing/closer", "/app/sink"}) {
            assertDenied(() -> write(WRITER, 7, key));
            assertDenied(() -> delete(WRITER, 7, key));
        }

        assertTheMarkIs7();
    }

    /** Why the page says what a writer's own keys must not cover. */
    @Test
    void aWriterWithARightOnTheRootCoversTheMarks() throws Exception {
        add("sloppy:s3cret-r", "--prefix=true readwrite /");
        installAndRaise();

        delete("sloppy:s3cret-r", 7, "/app/f/billing/closer");

        try (Sink sink = provider.open(url(LOOKER), BOUND)) {
            assertThat(sink.marks().toCompletableFuture().join().marks()).doesNotContain(Map.entry(CLOSER, mark(7)));
        }
    }

    @Test
    void aLeaderCannotInstallAndAnInstallerCannotRaise() {
        assertDenied(() -> provider.install(url(LEADER)));

        provider.install(url(INSTALLER));

        assertDenied(() -> raise(INSTALLER, 7));
    }

    @Test
    void whoHasNoRightsIsRefusedInOneSentenceWithoutASecret() throws Exception {
        installAndRaise();

        assertDenied(() -> provider.install(url(STRANGER)));
        assertDenied(() -> raise(STRANGER, 8));
        assertDenied(() -> write(STRANGER, 7, "/ledger/1"));
        assertRefused(() -> raise("leader:s3cret-but-wrong", 8), "authentication failed, invalid user ID or password");
        assertRefused(() -> provider.install(server.uri("app")), "user name is empty");

        assertTheMarkIs7();
        assertThat(server.etcdctl("get", "--prefix", "/ledger/")).isEmpty();
    }

    private void installAndRaise() {
        provider.install(url(INSTALLER));
        raise(LEADER, 7);
    }

    private void assertTheMarkIs7() {
        try (Sink sink = provider.open(url(LOOKER), BOUND)) {
            assertThat(sink.marks().toCompletableFuture().join().marks()).isEqualTo(Map.of(CLOSER, mark(7)));
        }
    }

    private void assertDenied(ThrowingCallable call) {
        assertRefused(call, "permission denied");
    }

    private void assertRefused(ThrowingCallable call, String why) {
        assertThatThrownBy(call)
                .isInstanceOfAny(SinkException.class, NotAdmittedException.class)
                .hasMessageMatching("etcd at " + server.hostPort() + "/\\S+ says: \\S+( \\S+)*")
                .hasMessageContaining(why)
                .hasMessageNotContaining("s3cret");
    }

    private void write(String user, long token, String key) throws FenceException {
        try (EtcdFence fence = EtcdFence.at(url(user), BOUND)) {
            EtcdTransaction transaction = fence.begin();
            transaction.admit(CLOSER, new FencingToken(token));
            transaction.put(key, "of " + token).commit();
        }
    }

    private void delete(String user, long token, String key) throws FenceException {
        try (EtcdFence fence = EtcdFence.at(url(user), BOUND)) {
            EtcdTransaction transaction = fence.begin();
            transaction.admit(CLOSER, new FencingToken(token));
            transaction.delete(key).commit();
        }
    }

    private Raise raise(String user, long token) {
        try (Sink sink = provider.open(url(user), BOUND)) {
            return sink.raise(CLOSER, mark(token)).toCompletableFuture().join();
        } catch (CompletionException failure) {
            throw failure.getCause() instanceof SinkException known ? known : failure;
        }
    }

    private void add(String login, String... rights) {
        String[] words = login.split(":", 2);
        server.addUser(words[0], words[1], rights);
    }

    private String url(String login) {
        return "etcd://" + login + "@" + server.hostPort() + "/app";
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("ops@host"));
    }
}
