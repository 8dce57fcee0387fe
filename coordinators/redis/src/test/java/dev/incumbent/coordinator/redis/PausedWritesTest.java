package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.Validity;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A master that holds up all that writes, and so every script: somebody has paused it, or it waits for the replica that is to take its place. */
@Tag("field")
@Tag("realtime")
class PausedWritesTest {
    private static final ElectionName CLOSER = new ElectionName("billing/closer");
    private static final Duration REQUEST = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final SystemTimeline time = new SystemTimeline();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final RedisServer master = opened(RedisServer.start());

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
        time.close();
    }

    /** What makes it hold up writes, until it is told otherwise. */
    private enum Pause {
        COMMAND {
            @Override
            Runnable begin(PausedWritesTest test) {
                assertThat(test.master.ask("CLIENT", "PAUSE", "3600000", "WRITE"))
                        .isEqualTo("+OK");
                return () -> assertThat(test.master.ask("CLIENT", "UNPAUSE")).isEqualTo("+OK");
            }
        },
        /** To a replica that lags: the master waits until it has everything. */
        FAILOVER {
            @Override
            Runnable begin(PausedWritesTest test) {
                TcpProxy replication = test.opened(TcpProxy.to(test.master.port()));
                RedisServer replica = test.replica(replication.port());
                replication.cut(TcpProxy.Fault.SILENT);
                test.master.ask("SET", "second", "2");
                assertThat(test.failOver(replica)).isEqualTo("+OK");
                return () -> assertThat(test.master.ask("FAILOVER", "ABORT")).isEqualTo("+OK");
            }
        };

        /** Tells what ends it. */
        abstract Runnable begin(PausedWritesTest test);
    }

    @ParameterizedTest
    @EnumSource(Pause.class)
    void aScriptThatOnlyReadsWaitsToo(Pause pause) {
        Coordinator hasty = client(master.uri(), REQUEST);
        Coordinator patient = client(master.uri(), PATIENCE);
        get(hasty.elections(""));
        get(patient.elections(""));
        Runnable end = pause.begin(this);

        CompletableFuture<Map<ElectionName, Reading>> waiting =
                patient.read(Set.of(CLOSER)).toCompletableFuture();
        long before = time.nanos();
        CoordinatorException late = failure(hasty.read(Set.of(CLOSER)));

        assertThat(late).hasMessageContaining("did not answer in time");
        assertThat(late.mayHaveApplied()).isFalse();
        assertThat(Duration.ofNanos(time.nanos() - before)).isLessThan(REQUEST.multipliedBy(5));
        assertThat(master.ask("GET", "nothing")).as("what is no script").isEqualTo("$-1");
        assertThat(master.ask("EVAL_RO", "return 7", "0"))
                .as("one that says that it only reads")
                .isEqualTo(":7");
        assertThat(waiting).isNotDone();
        end.run();
        assertThat(waiting).succeedsWithin(PATIENCE);
    }

    /** It ends by its own clock: the pause goes on. */
    @ParameterizedTest
    @EnumSource(Pause.class)
    void aTermEndsInTimeIfThePauseOutlastsItsLease(Pause pause) {
        Duration lease = Duration.ofSeconds(6);
        Told told = new Told();
        Candidacy ada = candidacy("ada", lease, told);
        await(PATIENCE, "a term", () -> ada.leadership().isPresent());
        Leadership leadership = ada.leadership().orElseThrow();
        Runnable end = pause.begin(this);

        await(lease.multipliedBy(2), "the end of the term", () -> !told.revoked.isEmpty());
        assertThat(told.revoked).containsExactly(EndReason.LEASE_LOST);
        assertThat(leadership.holds()).isFalse();
        assertThat(ada.leadership()).isEmpty();
        end.run();

        await(PATIENCE, "somebody leads again", () -> ada.leadership().isPresent());
        assertThat(ada.leadership().orElseThrow().token()).isGreaterThan(leadership.token());
    }

    @ParameterizedTest
    @EnumSource(Pause.class)
    void aTermGoesOnIfThePauseIsOverBeforeItsLease(Pause pause) {
        Duration lease = Duration.ofSeconds(20);
        Told told = new Told();
        Candidacy ada = candidacy("ada", lease, told);
        await(PATIENCE, "a term", () -> ada.leadership().isPresent());
        FencingToken first = ada.leadership().orElseThrow().token();
        Runnable end = pause.begin(this);

        await(lease, "a renewal that fails", () -> told.heard.contains("jeopardy"));
        end.run();
        await(lease, "a renewal that succeeds", () -> told.heard.contains("safe"));

        assertThat(told.revoked).isEmpty();
        assertThat(ada.leadership().orElseThrow().token()).isEqualTo(first);
    }

    /** Its host name has two addresses, and the master is at one of them; that one becomes the other. */
    @Test
    void aTermGoesOnOverTheServerThatTookTheMastersPlace() throws UnknownHostException {
        RedisServer replica = replica(master.port());
        opened(TcpProxy.at(
                new InetSocketAddress(InetAddress.getByName("127.0.0.3"), master.port()),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), replica.port())));
        Duration lease = Duration.ofSeconds(20);
        Told told = new Told();
        Candidacy ada = candidacy("ada", "redis://several.test:" + master.port(), lease, told);
        await(PATIENCE, "a term", () -> ada.leadership().isPresent());
        FencingToken first = ada.leadership().orElseThrow().token();

        assertThat(failOver(replica)).isEqualTo("+OK");
        await(lease, "another master", () -> replica.ask("ROLE").contains("master"));
        List<Validity> renewed = new CopyOnWriteArrayList<>();
        ada.leadership().orElseThrow().onRenewed(renewed::add);
        await(lease, "what was valid before, and a renewal", () -> renewed.size() > 1);

        assertThat(master.ask("ROLE")).contains("slave");
        assertThat(replica.ask("INFO", "commandstats")).contains("cmdstat_eval:");
        assertThat(told.revoked).isEmpty();
        assertThat(ada.leadership().orElseThrow().token()).isEqualTo(first);
    }

    private static final class Told implements ElectionListener {
        private final List<String> heard = new CopyOnWriteArrayList<>();
        private final List<EndReason> revoked = new CopyOnWriteArrayList<>();

        @Override
        public void onJeopardy(Term term) {
            heard.add("jeopardy");
        }

        @Override
        public void onSafe(Term term) {
            heard.add("safe");
        }

        @Override
        public void onRevoked(Term term, EndReason reason) {
            revoked.add(reason);
        }
    }

    /** A replica over that port of its master's, which has everything. */
    private RedisServer replica(int over) {
        RedisServer replica = opened(RedisServer.start("--replicaof", "127.0.0.1 " + over));
        master.ask("SET", "first", "1");
        await(PATIENCE, "the replication", () -> replica.ask("GET", "first").endsWith("1"));
        await(
                PATIENCE,
                "its master knows so",
                () -> master.ask("INFO", "replication").contains("state=online"));
        return replica;
    }

    private String failOver(RedisServer to) {
        return master.ask("FAILOVER", "TO", "127.0.0.1", Integer.toString(to.port()));
    }

    private Candidacy candidacy(String name, Duration lease, ElectionListener told) {
        return candidacy(name, master.uri(), lease, told);
    }

    private Candidacy candidacy(String name, String uri, Duration lease, ElectionListener told) {
        Elections elections = opened(Elections.over(client(uri, REQUEST))
                .name(name)
                .timing(Timing.ofLease(lease))
                .listener(told)
                .open());
        return opened(elections.election(CLOSER.value()).campaign(leadership -> new CountDownLatch(1).await()));
    }

    private Coordinator client(String uri, Duration requestTimeout) {
        return opened(new RedisCoordinatorProvider().open(uri, time, requestTimeout, Mode.CREATE));
    }

    private static <T> T get(CompletionStage<T> call) {
        return call.toCompletableFuture().join();
    }

    private static CoordinatorException failure(CompletionStage<?> call) {
        Optional<Throwable> failed = call.handle((answer, failure) -> Optional.ofNullable(failure))
                .toCompletableFuture()
                .join();
        Throwable thrown = failed.orElseThrow(() -> new AssertionError("it was answered"));
        return (CoordinatorException) Optional.ofNullable(thrown.getCause()).orElse(thrown);
    }

    private void await(Duration atMost, String what, BooleanSupplier holds) {
        long end = time.nanos() + atMost.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(time.nanos() - end).as(what).isNegative();
            LockSupport.parkNanos(5_000_000);
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }
}
