package dev.incumbent.fence.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is wrong is told in one sentence; what is the writer's own fault is told as that. */
final class ZooKeeperSinkTest {
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final ElectionName BILLING = new ElectionName("billing/closer");

    private final ZooKeeperRig rig = ZooKeeperRig.onTheSharedServer();
    private final ZooKeeperSinkProvider provider = new ZooKeeperSinkProvider();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aSinkThatIsNotInstalledSaysSo() {
        String url = rig.url() + "/nowhere";
        String why = url + " is not installed: run incumbent fence install --sink " + url;

        try (Sink sink = provider.open(url, BOUND)) {
            for (Supplier<CompletionStage<?>> question : List.<Supplier<CompletionStage<?>>>of(
                    sink::id, sink::marks, () -> sink.marks(Set.of(BILLING)), () -> sink.raise(BILLING, mark(7)))) {
                assertThatThrownBy(() -> answer(question.get()))
                        .isInstanceOf(SinkException.class)
                        .hasMessage(why);
            }
        }
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        String url = "zk://127.0.0.1:" + FreePorts.one() + "/x";

        try (Sink sink = provider.open(url, Duration.ofMillis(400))) {
            assertThatThrownBy(() -> answer(sink.marks()))
                    .isInstanceOf(SinkException.class)
                    .hasMessage(url + ": reading its marks gave up after 400 ms");
        }
    }

    @Test
    void whatAUserInstalledIsClosedToOthersAndNoPasswordIsShown() {
        String url = rig.url() + "/closed";
        provider.install(url + "?user=ada&password=secret");

        try (Sink mine = provider.open(url + "?user=ada&password=secret", BOUND);
                Sink theirs = provider.open(url + "?user=eve&password=guess", BOUND)) {
            assertThat(answer(mine.id()).value()).isNotBlank();
            assertThat(mine.label()).isEqualTo(url);
            assertThatThrownBy(() -> answer(theirs.id()))
                    .isInstanceOf(SinkException.class)
                    .hasMessage(url + ": no permission for reading its id as user eve");
        }
    }

    @Test
    void aBadUrlIsRefusedWithoutItsPassword() {
        for (String url : List.of(
                "zk://ada:secret@h/x",
                "zk://h/x?user=ada&password=secret&tick=2s",
                "zk://h//x?password=secret",
                "zk://?password=secret")) {
            assertThatThrownBy(() -> provider.open(url, BOUND))
                    .isInstanceOf(SinkException.class)
                    .hasMessageNotContaining("secret");
        }
    }

    @Test
    void anOperationOfTheWritersOwnThatFailsIsToldAsThatAndNothingIsWritten() throws Exception {
        raise(7);
        FencedWrite write = ZooKeeperFence.over(rig.client(), rig.root()).begin();
        write.admit(BILLING, new FencingToken(7));
        write.add(Op.create(rig.root() + "/line-1", new byte[0], ZooKeeperRig.OPEN, CreateMode.PERSISTENT))
                .add(Op.check(rig.root() + "/not-there", -1));

        assertThatThrownBy(write::commit).isInstanceOf(KeeperException.NoNodeException.class);

        assertThat(rig.written()).isEmpty();
    }

    @Test
    void aWriteAdmittedBeforeARaiseIsStaleAtItsCommit() throws Exception {
        raise(7);
        FencedWrite write = ZooKeeperFence.over(rig.client(), rig.root()).begin();
        write.admit(BILLING, new FencingToken(7));
        raise(8);

        assertThatThrownBy(write::commit)
                .isInstanceOf(StaleTokenException.class)
                .hasMessage("stale token 7 of billing/closer: the mark is 8 of operator:ops@host");
    }

    @Test
    void aCommitReturnsTheResultsOfTheWritersOperationsInTheirOrder() throws Exception {
        raise(7);
        String line = rig.root() + "/line-2";
        FencedWrite write = ZooKeeperFence.over(rig.client(), rig.root()).begin();
        write.admit(BILLING, new FencingToken(7));
        write.add(Op.create(line, new byte[0], ZooKeeperRig.OPEN, CreateMode.PERSISTENT))
                .add(Op.setData(line, "x".getBytes(StandardCharsets.UTF_8), 0));

        List<OpResult> results = write.commit();

        assertThat(results)
                .extracting(OpResult::getType)
                .containsExactly(ZooDefs.OpCode.create, ZooDefs.OpCode.setData);
        assertThatThrownBy(write::commit).isInstanceOf(NoTransactionException.class);
    }

    /** As the page tells it: a client that has nothing of ours. */
    @Test
    void aPlainTransactionIsFencedByOneCheckOfTheTokensNode() throws Exception {
        for (long token = 7; token <= 8; token++) {
            raise(token);
            List<Op> write = List.of(
                    Op.check(rig.root() + "/f/billing:closer/t-7", -1),
                    Op.create(rig.root() + "/line-" + token, new byte[0], ZooKeeperRig.OPEN, CreateMode.PERSISTENT));

            if (token == 7) {
                assertThat(rig.client().multi(write)).hasSize(2);
            } else {
                assertThatThrownBy(() -> rig.client().multi(write)).isInstanceOf(KeeperException.NoNodeException.class);
            }
            assertThat(rig.client().exists(rig.root() + "/line-" + token, false) != null)
                    .isEqualTo(token == 7);
        }
    }

    @Test
    @Tag("realtime")
    void aWriteThatNobodyAnsweredMayHaveBeenWritten() throws Exception {
        raise(7);
        try (TcpProxy wire = TcpProxy.to(rig.port())) {
            ZooKeeper far = ZooKeeperRig.connected("127.0.0.1:" + wire.port());
            FencedWrite write = ZooKeeperFence.over(far, rig.root()).begin();
            write.admit(BILLING, new FencingToken(7));
            write.add(Op.create(rig.root() + "/line-3", new byte[0], ZooKeeperRig.OPEN, CreateMode.PERSISTENT));

            wire.cut(TcpProxy.Fault.REFUSED);

            assertThatThrownBy(write::commit)
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining("may have been written");
            wire.heal();
            far.close();
        }
    }

    @Test
    void ofTwoOwnersWhoRaiseToOneTokenAtOnceOneAloneIsToldSo() {
        try (Sink ada = provider.open(rig.url(), BOUND);
                Sink bob = provider.open(rig.url(), BOUND)) {
            for (long token = 1; token <= 60; token++) {
                FencingToken wanted = new FencingToken(token);
                CompletionStage<Raise> first = ada.raise(BILLING, new Mark(wanted, MarkOwner.ofOperator("ada@host")));
                CompletionStage<Raise> second = bob.raise(BILLING, new Mark(wanted, MarkOwner.ofOperator("bob@host")));

                assertThat(List.of(answer(first), answer(second)))
                        .filteredOn(Raise.Raised.class::isInstance)
                        .hasSize(1);
            }
        }
    }

    /** Over a wire whose every answer takes 100 ms: one after the other would take ten seconds. */
    @Test
    @Tag("realtime")
    void theMarksOfAHundredElectionsAreAskedForTogether() {
        raise(7);
        Set<ElectionName> asked = new HashSet<>(Set.of(BILLING));
        for (int i = 1; i < 100; i++) {
            asked.add(new ElectionName("never/" + i));
        }
        try (TcpProxy wire = TcpProxy.to(rig.port());
                Sink sink = provider.open("zk://127.0.0.1:" + wire.port() + rig.root(), Duration.ofSeconds(30))) {
            assertThat(answer(sink.id()).value()).isNotBlank();
            wire.slowAnswers(Duration.ofMillis(100));
            long before = System.nanoTime();

            assertThat(answer(sink.marks(asked)).marks()).isEqualTo(Map.of(BILLING, mark(7)));

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(5));
        }
    }

    private void raise(long token) {
        try (Sink sink = provider.open(rig.url(), BOUND)) {
            assertThat(answer(sink.raise(BILLING, mark(token)))).isNotNull();
        }
    }

    private static Mark mark(long token) {
        return new Mark(new FencingToken(token), MarkOwner.ofOperator("ops@host"));
    }

    private static <T> T answer(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof SinkException known ? known : e;
        }
    }
}
