package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bad input, and servers that do not serve: one sentence each, and never a password. */
class RefusalTest {
    private static final String ACL =
            "~{incumbent}:* &{incumbent}:changes +eval +info +time +auth +select +subscribe +publish +get +set +del +pexpire +pttl"
                    + " +hget +hmget +hset +hdel +zadd +zrem +zrange +zrangebylex +zcard +incr";

    private final SystemTimeline time = new SystemTimeline();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void theProviderIsFoundByItsSchemes() {
        assertThat(ServiceLoader.load(CoordinatorProvider.class))
                .anyMatch(found -> found.schemes()
                        .containsAll(List.of(
                                "redis", "rediss", "redis+sentinel", "rediss+sentinel", "redlock", "redlocks")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "redis:h:1 | is no URI such as SCHEME://HOST:PORT/PATH; write redis://HOST",
                "redis://u:SECRET@/0 | is no HOST:PORT",
                "redis://u:SECRET@h:99999 | 'h:99999' is no HOST:PORT",
                "redis://u:SECRET@h:x | 'h:x' is no HOST:PORT",
                "redis://u:SECRET@h/two | 'two' is no database",
                "redis://u:SECRET@h?prefx=a | the parameter 'prefx' is unknown",
                "redis://u:SECRET@h?prefix={a} | a prefix has 1 to 64",
                "redis://u:SECRET@h/1/2 | '1/2' is no database",
                "redis://u:SECRET/@h | '@' %40",
                "redis://h?ca=/x.pem | ca names an authority for TLS, which rediss:// speaks",
                "redlock://h1,h2,h3?ca=/x.pem | which redlocks:// speaks",
                "redis://u:SECRET@h1,h2,h3 | one server stands in redis://",
                "redlock://u:SECRET@h1,h2 | 3 at least; these are 2",
                "redlock://u:SECRET@h1,h2,h3,h4 | an odd number of masters",
                "redlock://u:SECRET@h1,h2,h1 | a server stands in it twice",
            })
    void aUriThatNamesNoCoordinatorIsRefused(String uri, String why) {
        assertThatThrownBy(() -> open(uri))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("SECRET");
    }

    @Test
    void aHostThatIsNotThereIsNamedAndNothingWasSent() {
        int nobody = FreePorts.one();

        CoordinatorException refused = failure("redis://127.0.0.1:" + nobody);
        CoordinatorException unknown = failure("redis://no-such-host.invalid:7000");

        assertThat(refused)
                .hasMessageContaining("redis://127.0.0.1:" + nobody + "/0 cannot be reached: Connection refused");
        assertThat(refused.mayHaveApplied()).isFalse();
        assertThat(unknown).hasMessageContaining("there is no host no-such-host.invalid");
    }

    @Test
    @Tag("patient")
    void passwordsAndRightsAreAskedForInOneSentenceEach() {
        try (RedisServer server = RedisServer.start()) {
            server.ask("ACL", "SETUSER", "limited", "on", ">SECRET", "~*", "+info", "+auth");
            String[] full = ("ACL SETUSER full on >SECRET " + ACL).split(" ");
            assertThat(server.ask(full)).startsWith("+OK");
            String at = "127.0.0.1:" + server.port();
            servesCandidacies("redis://full:SECRET@" + at, server);
            server.ask("CONFIG", "SET", "requirepass", "SECRET");

            assertThat(failure("redis://" + at)).hasMessageContaining("asks for a password");
            assertThat(failure("redis://full:SECRET2@" + at))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("refused the user full: wrong password")
                    .hasMessageNotContaining("SECRET");
            assertThat(failure("redis://limited:SECRET@" + at))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("denies the user limited")
                    .hasMessageNotContaining("SECRET");
            assertThat(leaseOver("redis://:SECRET@" + at)).isNotBlank();
        }
    }

    @Test
    @Tag("realtime")
    void aServerThatEvictsIsRefusedAndOneThatIsTooOldToo() {
        try (RedisServer server = RedisServer.start("--maxmemory", "100mb", "--maxmemory-policy", "allkeys-lru")) {
            assertThat(failure(server.uri()))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("evicts keys when its memory is full (maxmemory-policy allkeys-lru)");
        }
        try (RedisServer server = RedisServer.start("--maxmemory-policy", "allkeys-lru")) {
            assertThat(leaseOver(server.uri())).as("over one without a bound").isNotBlank();
        }
        ServerAddress at =
                RedisUri.parse("redis://h", Optional.empty()).servers().get(0);
        assertThatThrownBy(() -> ServerFacts.parse("# Server\r\nredis_version:4.0.14\r\n")
                        .check(at, Role.MASTER))
                .hasMessageContaining("is Redis 4.0.14, and the oldest that serves is 6.0");
        assertThatThrownBy(() -> ServerFacts.parse("redis_version:7.0.1\r\nredis_mode:sentinel\r\n")
                        .check(at, Role.MASTER))
                .hasMessageContaining("is a Redis Sentinel");
    }

    @Test
    void oneServerUnderTwoNamesIsNoMajority() {
        int port = SharedServers.one().get(0).port();
        int other = SharedServers.three().get(0).port();

        try (Coordinator client = open("redlock://127.0.0.1:" + port + ",localhost:" + port + ",127.0.0.1:" + other)) {
            Optional<Throwable> refused = Optional.empty();
            for (int i = 0; i < 100 && refused.isEmpty(); i++) { // it is found out once both have been connected to
                refused = client.elections("")
                        .handle((all, failure) -> Optional.ofNullable(failure))
                        .toCompletableFuture()
                        .join();
            }

            assertThat(refused.orElseThrow()).hasMessageContaining("two of the masters are one server");
        }
    }

    @Test
    @Tag("patient")
    void tlsIsSpokenWithWhoIsTrustedAndWithNobodyElse() {
        try (ServerCertificate shown = ServerCertificate.create();
                RedisServer server = RedisServer.startOverTls(shown)) {
            String ca = "?ca=" + shown.file();

            assertThat(leaseOver(server.uri() + ca)).isNotBlank();
            assertThat(failure(server.uri())).hasMessageContaining("cannot be reached over TLS");
            assertThat(failure("rediss://localhost:" + server.port() + ca))
                    .hasMessageContaining("cannot be reached over TLS");
            assertThat(failure("redis://127.0.0.1:" + server.port())).hasMessageContaining("rediss://");
            assertThat(failure(server.uri() + "?ca=/no/such.pem")).hasMessageContaining("/no/such.pem cannot be read");
        }
    }

    /** As one asked at the endpoint of a managed cluster is. */
    @Test
    void aNodeOfAClusterThatHoldsOtherKeysOnlyIsToldAndDoesNothing() {
        int bus = FreePorts.one();
        try (RedisServer asked = clusterNode(FreePorts.one());
                RedisServer holder = clusterNode(bus)) {
            assertThat(holder.ask("CLUSTER", "ADDSLOTSRANGE", "0", "16383")).isEqualTo("+OK");
            asked.ask("CLUSTER", "MEET", "127.0.0.1", Integer.toString(holder.port()), Integer.toString(bus));
            long end = time.nanos() + TimeUnit.SECONDS.toNanos(90);
            while (!asked.ask("CLUSTER", "INFO").contains("cluster_state:ok")) {
                assertThat(time.nanos() - end).as("the nodes know each other").isNegative();
                LockSupport.parkNanos(20_000_000);
            }

            CoordinatorException moved = failure(asked.uri());

            assertThat(moved).hasMessageMatching(".* answered MOVED [0-9]+ 127\\.0\\.0\\.1:" + holder.port());
            assertThat(moved.mayHaveApplied()).isFalse();
        }
    }

    private static RedisServer clusterNode(int bus) {
        return RedisServer.start("--cluster-enabled", "yes", "--cluster-port", Integer.toString(bus));
    }

    private Coordinator open(String uri) {
        return new RedisCoordinatorProvider().open(uri, time, Duration.ofSeconds(30), Mode.CREATE);
    }

    /** All that a candidacy and its operators ask for. */
    private void servesCandidacies(String uri, RedisServer server) {
        ElectionName election = new ElectionName("billing/closer");
        Candidate ada = new Candidate(CandidateId.of("ada", "host", 1, "x"), "ada", "");
        AtomicInteger told = new AtomicInteger();
        try (Coordinator client = open(uri)) {
            client.watch(election, new Counting(told));
            LeaseId lease = get(client.grant(ada.id(), Duration.ofSeconds(30))).id();
            get(client.enlist(election, new Enlisted(ada, lease, Instant.EPOCH, Set.of(), Set.of())));
            assertThat(get(client.candidates(Set.of(election))).get(election)).hasSize(1);
            LeaderRecord claim = LeaderRecord.EMPTY
                    .claimedBy(1, ada, lease, Duration.ofSeconds(30), Instant.EPOCH)
                    .written("n1");
            assertThat(get(client.swap(election, Revision.ABSENT, claim))).isInstanceOf(Swap.Accepted.class);
            get(client.keepAlive(lease));
            assertThat(get(client.read(Set.of(election))).get(election)).isInstanceOf(Reading.Found.class);
            assertThat(get(client.elections(""))).containsExactly(election);
            assertThat(get(client.clock())).isPresent();
            Waiting.until("it is told", () -> told.get() > 0);
            Waiting.until(
                    "it listens",
                    () -> server.ask("PUBSUB", "NUMSUB", "{incumbent}:changes").contains(":1"));
            get(client.withdraw(election, ada.id()));
            get(client.revoke(lease));
        }
    }

    private static <T> T get(CompletionStage<T> call) {
        return call.toCompletableFuture().join();
    }

    private record Counting(AtomicInteger told) implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            told.incrementAndGet();
        }

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }

    private String leaseOver(String uri) {
        try (Coordinator client = open(uri)) {
            var lease = client.grant(CandidateId.of("ada", "host", 1, "x"), Duration.ofMinutes(1))
                    .toCompletableFuture()
                    .join();
            client.revoke(lease.id()).toCompletableFuture().join();
            assertThat(get(client.elections(""))).isNotNull();
            return lease.id().value();
        }
    }

    private CoordinatorException failure(String uri) {
        try (Coordinator client = open(uri)) {
            Object answer = client.elections("").toCompletableFuture().join();
            throw new AssertionError("it answered " + answer);
        } catch (CompletionException failed) {
            assertThat(failed.getCause()).isInstanceOf(CoordinatorException.class);
            return (CoordinatorException) failed.getCause();
        }
    }
}
