package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.RedisSentinel;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A master that real sentinels name, and that dies, comes back, or is named wrongly. */
@Tag("realtime")
class SentinelTest {
    private static final ElectionName CLOSER = new ElectionName("billing/closer");
    private static final CandidateId ADA = new CandidateId("ada");
    private static final Duration LEASE = Duration.ofMinutes(2);
    private static final Duration REQUEST = Duration.ofSeconds(5);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final Duration DOWN_AFTER = Duration.ofSeconds(2);
    private static final Duration NEVER_DOWN = Duration.ofHours(1);

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

    @Test
    void candidaciesGoOnOverTheNewMaster() {
        RedisServer replica = replicated();
        String uri = uri(watched(replica));
        Candidacy ada = candidacy("ada", uri);
        await("ada leads", () -> ada.leadership().isPresent());
        FencingToken first = ada.leadership().orElseThrow().token();
        Candidacy bob = candidacy("bob", uri);
        await("both stand at the replica", () -> replica.ask("ZCARD", order()).equals(":2"));
        List<String> heard = heard(uri);
        await("a watcher knows the record", () -> heard.contains("record"));
        await("its record is at the replica", () -> record(replica).contains("\"ada"));

        master.process().kill();
        await("a new master", () -> isMaster(replica));
        assertThat(ada.leadership().orElseThrow().token())
                .as("its term goes on")
                .isEqualTo(first);
        ada.close();

        await("bob leads", () -> bob.leadership().isPresent());
        assertThat(heard).contains("gap");
        assertThat(bob.leadership().orElseThrow().token()).isGreaterThan(first);
        assertThat(record(replica)).contains("\"bob");
    }

    @Test
    void anOldMasterThatComesBackIsNotUsed() {
        RedisServer replica = replicated();
        Coordinator client = client(uri(watched(replica)));
        LeaseId lease = granted(client);
        await("the lease is at the replica", () -> has(replica, lease));

        master.process().kill();
        awaitKept(client, lease);
        master.process().startAgain();
        for (int i = 0; i < 10; i++) {
            assertThat(has(replica, granted(client))).isTrue();
        }

        assertThat(master.ask("INFO", "commandstats")).contains("cmdstat_").doesNotContain("cmdstat_eval:");
    }

    @Test
    void whatHadNotReachedTheReplicaIsForgotten() {
        RedisServer replica = replicated();
        Coordinator client = client(uri(watched(replica)));
        LeaseId known = granted(client);
        await("the lease is at the replica", () -> has(replica, known));
        assertThat(master.ask("ACL", "SETUSER", "default", "-psync", "-sync")).isEqualTo("+OK");
        assertThat(master.ask("CLIENT", "KILL", "TYPE", "replica")).isEqualTo(":1");
        LeaseId unknown = granted(client);

        master.process().kill();
        awaitKept(client, known);

        assertThat(failure(() -> client.keepAlive(unknown))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aConnectionThatWorksIsLeftOnceAMajorityNamesAnotherMaster() {
        RedisServer other = opened(RedisServer.start());
        List<RedisSentinel> sentinels = three(NEVER_DOWN);
        Coordinator client = client(uri(sentinels));
        assertThat(has(master, granted(client))).isTrue();

        name(other, sentinels.get(0));
        for (int i = 0; i < 30; i++) {
            assertThat(has(master, granted(client))).as("one alone is outvoted").isTrue();
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        name(other, sentinels.get(1));

        await("a lease at the other", () -> has(other, granted(client)));
    }

    @Test
    void aReplicaThatIsNamedIsNotUsed() {
        RedisServer replica = replicated();
        RedisSentinel liar = opened(RedisSentinel.start(replica.port(), NEVER_DOWN));
        Coordinator client = client(uri(List.of(liar)));

        assertThat(failure(() -> client.grant(ADA, LEASE)))
                .hasMessageContaining("is a replica of 127.0.0.1:" + master.port() + ": only a master grants leases");
    }

    @Test
    void fewerThanAMajorityNameNoMaster() {
        RedisSentinel alone = opened(RedisSentinel.start(master.port(), NEVER_DOWN));
        List<Integer> nobody = FreePorts.some(2);
        Coordinator client = client("redis+sentinel://127.0.0.1:" + alone.port() + ",127.0.0.1:" + nobody.get(0)
                + ",127.0.0.1:" + nobody.get(1) + "/" + RedisSentinel.MASTER);

        CoordinatorException failure = failure(() -> client.grant(ADA, LEASE));

        assertThat(failure)
                .isNotInstanceOf(CoordinatorUnusableException.class)
                .hasMessageStartingWith(
                        "where the master office of the sentinels is, is not known: 1 of 3 sentinels answered, 2 must agree: ");
        assertThat(failure.mayHaveApplied()).isFalse();
    }

    /** They were asked again three times meanwhile. */
    @Test
    void whereFewerThanAMajorityAnswerTheConnectionsThatThereAreGoOn() {
        List<RedisSentinel> sentinels = three(NEVER_DOWN);
        Coordinator client = client(uri(sentinels));
        LeaseId lease = granted(client);
        sentinels.get(0).process().kill();
        sentinels.get(1).process().kill();

        for (int i = 0; i < 30; i++) {
            client.keepAlive(lease).toCompletableFuture().join();
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
    }

    @Test
    void whatCannotBeFollowedIsToldInOneSentence() {
        RedisSentinel locked = opened(RedisSentinel.start(master.port(), NEVER_DOWN, "requirepass hush"));
        String at = "redis+sentinel://127.0.0.1:" + locked.port();

        assertUnusable(at + "/stranger?sentinel-password=hush", "a majority of the sentinels knows no master stranger");
        assertUnusable(at + "/office", "asks for the sentinels' own password: ?sentinel-password=");
        assertUnusable(at + "/office?sentinel-password=hash", "wrong password, or no such user");
        assertUnusable("redis+sentinel://127.0.0.1:" + master.port() + "/office", "is no Redis Sentinel");
        assertThat(has(master, granted(client(at + "/office?sentinel-password=hush"))))
                .isTrue();
    }

    private void assertUnusable(String uri, String why) {
        assertThat(failure(() -> client(uri).grant(ADA, LEASE)))
                .as(uri)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("hush");
        assertThatThrownBy(() -> client(uri + "&no=such"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageNotContaining("hush");
    }

    private RedisServer replicated() {
        RedisServer replica = opened(master.startReplica());
        master.ask("SET", "first", "1");
        await("the replication", () -> replica.ask("GET", "first").endsWith("1"));
        return replica;
    }

    private List<RedisSentinel> three(Duration downAfter) {
        List<RedisSentinel> sentinels = RedisSentinel.start(3, master.port(), downAfter);
        sentinels.forEach(this::opened);
        return sentinels;
    }

    /** Three sentinels that know each other and the replica. */
    private List<RedisSentinel> watched(RedisServer replica) {
        List<RedisSentinel> sentinels = three(DOWN_AFTER);
        await(
                "the sentinels know each other, and " + replica.port(),
                () -> sentinels.stream().allMatch(one -> one.knows(2, 1)));
        return sentinels;
    }

    private static void name(RedisServer server, RedisSentinel sentinel) {
        sentinel.ask("SENTINEL", "REMOVE", RedisSentinel.MASTER);
        assertThat(sentinel.ask(
                        "SENTINEL", "MONITOR", RedisSentinel.MASTER, "127.0.0.1", Integer.toString(server.port()), "2"))
                .isEqualTo("+OK");
    }

    private static String uri(List<RedisSentinel> sentinels) {
        return sentinels.stream()
                .map(one -> "127.0.0.1:" + one.port())
                .collect(Collectors.joining(",", "redis+sentinel://", "/" + RedisSentinel.MASTER));
    }

    private Coordinator client(String uri) {
        return opened(new RedisCoordinatorProvider().open(uri, time, REQUEST, Mode.CREATE));
    }

    /** What a watcher of another process is told. */
    private List<String> heard(String uri) {
        List<String> heard = new CopyOnWriteArrayList<>();
        client(uri).watch(CLOSER, new Watcher() {
            @Override
            public void changed(ObservedRecord record) {
                heard.add("record");
            }

            @Override
            public void gap() {
                heard.add("gap");
            }

            @Override
            public void currentAsOf(long sentAtNanos) {}
        });
        return heard;
    }

    private Candidacy candidacy(String name, String uri) {
        Elections elections = opened(Elections.over(client(uri))
                .name(name)
                .timing(Timing.ofLease(LEASE))
                .open());
        return opened(elections.election(CLOSER.value()).campaign(leadership -> new CountDownLatch(1).await()));
    }

    private static String order() {
        return new Keys("incumbent").order(CLOSER);
    }

    private static String record(RedisServer server) {
        return server.ask("HGET", new Keys("incumbent").record(CLOSER), "record");
    }

    private static boolean isMaster(RedisServer server) {
        return server.ask("ROLE").contains("master");
    }

    private static boolean has(RedisServer server, LeaseId lease) {
        return server.ask("EXISTS", new Keys("incumbent").lease(lease)).equals(":1");
    }

    /** Granted, once somebody answers. */
    private LeaseId granted(Coordinator client) {
        List<LeaseId> granted = new ArrayList<>();
        await("a lease", () -> {
            client.grant(ADA, LEASE)
                    .handle((lease, failure) -> failure == null && granted.add(lease.id()))
                    .toCompletableFuture()
                    .join();
            return !granted.isEmpty();
        });
        return granted.get(0);
    }

    private void awaitKept(Coordinator client, LeaseId lease) {
        await(
                "the lease is kept alive over the new master",
                () -> client.keepAlive(lease)
                        .handle((kept, failure) -> failure == null)
                        .toCompletableFuture()
                        .join());
    }

    private interface Asked {
        java.util.concurrent.CompletionStage<?> call();
    }

    private static CoordinatorException failure(Asked asked) {
        try {
            throw new AssertionError("expected no answer, and it was "
                    + asked.call().toCompletableFuture().join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof CoordinatorException known) {
                return known;
            }
            throw e;
        }
    }

    private void await(String what, BooleanSupplier holds) {
        long end = time.nanos() + PATIENCE.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(time.nanos() - end).as(what).isNegative();
            LockSupport.parkNanos(20_000_000);
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        open.add(one);
        return one;
    }
}
