package dev.incumbent.fence.redis;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TemporaryFolder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/** A Redis server as a sink, when all is well and when it is not. */
class RedisSinkTest {
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final Duration BOUND = Duration.ofSeconds(5);

    /** By default a server writes nothing to its log while it flushes it, and acknowledges all the same; for those that are killed. */
    private static final String[] FLUSHES_ALWAYS = {"--appendfsync", "always"};

    private final RedisSinkProvider provider = new RedisSinkProvider();

    @Test
    void theProviderIsFoundOnTheClassPath() {
        assertThat(ServiceLoader.load(SinkProvider.class))
                .anyMatch(found -> found.opens("redis://h") && found.opens("rediss://h") && !found.opens("etcd://h"));
    }

    @Test
    void theScriptRaisesAsTheRuleInJavaDoes() throws Exception {
        RedisFenceRig rig = new RedisFenceRig(RedisFenceTest.Shared.SERVER);
        Random random = new Random(20_261_121);
        long[] tokens = {
            1, 2, 9, 10, (1L << 53) - 1, 1L << 53, (1L << 53) + 1, (1L << 53) + 2, Long.MAX_VALUE - 1, Long.MAX_VALUE
        };
        try (Sink sink = rig.open(BOUND)) {
            for (int i = 0; i < 40; i++) {
                ElectionName election = new ElectionName("random/" + i);
                MarkRule rule = MarkRule.unmarked();
                for (int j = 0; j < 12; j++) {
                    Mark asked = mark(tokens[random.nextInt(tokens.length)], owner(random, tokens));
                    Raise expected = rule.raise(asked);
                    if (expected
                            instanceof Raise.TooFar) { // what stands beyond the furthest raise is put there by hand
                        assertThat(answer(sink.raise(election, asked))).isEqualTo(expected);
                        put(rig, election, asked);
                        rule = MarkRule.at(asked);
                        continue;
                    }
                    assertThat(answer(sink.raise(election, asked)))
                            .as("%s", asked)
                            .isEqualTo(expected);
                    rule = expected instanceof Raise.Raised ? MarkRule.at(asked) : rule;
                }
            }
        }
    }

    @Test
    void marksOfTenThousandElectionsAreOneQuestion() throws Exception {
        Set<ElectionName> elections = new TreeSet<>();
        for (int i = 0; i < 10_000; i++) {
            elections.add(new ElectionName("many/" + i));
        }
        ElectionName last = new ElectionName("many/9999");
        Mark mark = new Mark(new FencingToken(7), MarkOwner.ofCandidate(new CandidateId("c")));
        RedisFenceRig rig = new RedisFenceRig(RedisFenceTest.Shared.SERVER);
        try (Sink sink = rig.open(BOUND)) {
            put(rig, last, mark);

            assertThat(answer(sink.marks(elections)).marks()).isEqualTo(Map.of(last, mark));
            assertThat(answer(sink.marks()).marks()).isEqualTo(Map.of(last, mark));
        }
    }

    private static void put(RedisFenceRig rig, ElectionName election, Mark mark) {
        try (Jedis jedis = rig.jedis()) {
            RedisUrl url = RedisSinkProvider.parsed(rig.url());
            jedis.hset(url.markKeys() + election, "token", mark.token().toString());
            jedis.hset(url.markKeys() + election, "owner", mark.owner().text());
            jedis.zadd(url.marks(), 0, election.value());
        }
    }

    private static MarkOwner owner(Random random, long[] tokens) {
        return switch (random.nextInt(4)) {
            case 0 -> MarkOwner.ofCandidate(new CandidateId("c" + random.nextInt(2)));
            case 1 -> MarkOwner.ofFreeze("ops" + random.nextInt(2));
            case 2 -> MarkOwner.ofThaw("ops", tokens[random.nextInt(tokens.length)]);
            default -> MarkOwner.ofOperator("ops");
        };
    }

    @Test
    void aPlainClientIsFencedByTheScriptAndByAFunctionThatOutlivesARestart() throws Exception {
        try (RedisServer server = RedisServer.start(FLUSHES_ALWAYS);
                Sink sink = installed(server)) {
            answer(sink.raise(BILLING, mark(7, MarkOwner.ofOperator("me"))));
            List<String> keys = List.of("{incumbent}:mark:billing/closer");
            String function = "#!lua name=incumbent\nredis.register_function('incumbent_write', function(KEYS, ARGV)\n"
                    + RedisScript.ADMIT.text() + "end)\n";
            try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
                jedis.functionLoadReplace(function);
            }
            server.process().kill();
            server.process().startAgain();

            try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
                jedis.eval(RedisScript.ADMIT.text(), keys, List.of("7", "3", "SET", "balance", "7"));
                jedis.fcall("incumbent_write", keys, List.of("7", "2", "INCR", "balance", "2", "INCR", "balance"));
                assertThat(jedis.get("balance")).isEqualTo("9");
                assertThatThrownBy(() -> jedis.fcall("incumbent_write", keys, List.of("6", "2", "INCR", "balance")))
                        .isInstanceOf(JedisDataException.class)
                        .hasMessageContaining("IFSTALE the mark is 7 of operator:me");
                assertThatThrownBy(
                                () -> jedis.eval(RedisScript.ADMIT.text(), keys, List.of("8", "2", "INCR", "balance")))
                        .hasMessageContaining("IFNOTRAISED the mark is 7");
                assertThat(jedis.get("balance")).isEqualTo("9");
            }
        }
    }

    @Test
    void oneCommandAdmitsAndWritesAndOutlivesARestartOfTheServer() throws Exception {
        try (RedisServer server = RedisServer.start(FLUSHES_ALWAYS);
                Sink sink = installed(server);
                RedisFence fence = RedisFence.open(server.uri(), BOUND)) {
            answer(sink.raise(BILLING, mark(7, MarkOwner.ofOperator("me"))));
            FencingToken seven = new FencingToken(7);
            assertThat(fence.write(BILLING, seven, "SET", "balance", "7")).isPresent();

            server.process().kill();
            assertThatThrownBy(() -> fence.write(BILLING, seven, "INCR", "balance"))
                    .isInstanceOf(NotAdmittedException.class);
            server.process().startAgain();

            assertThat(fence.write(BILLING, seven, "INCR", "balance")).contains(8L);
            assertThat(fence.write(BILLING, seven, "GET", "nothing")).isEmpty();
            answer(sink.raise(BILLING, mark(8, MarkOwner.ofOperator("me"))));
            assertThatThrownBy(() -> fence.write(BILLING, seven, "INCR", "balance"))
                    .isInstanceOf(StaleTokenException.class);
            assertThatThrownBy(() -> fence.write(BILLING, new FencingToken(8), "LPUSH", "balance", "x"))
                    .isInstanceOf(NotAdmittedException.class)
                    .hasMessageContaining("WRONGTYPE");
        }
    }

    @Test
    @Tag("realtime")
    void aServerThatHangsEndsInTheBoundAndServesAgain() throws Exception {
        try (RedisServer server = RedisServer.start()) {
            provider.install(server.uri());
            try (Sink sink = provider.open(server.uri(), Duration.ofSeconds(1))) {
                answer(sink.id());
                server.process().freeze();

                assertThatThrownBy(() -> answer(sink.marks()))
                        .isInstanceOf(SinkException.class)
                        .hasMessageContaining(server.uri());
                server.process().thaw();

                assertThat(answer(sink.raise(BILLING, mark(1, MarkOwner.ofOperator("me")))))
                        .isInstanceOf(Raise.Raised.class);
            }
        }
    }

    @Test
    void aReplicaTakesNoRaiseAndNoWriteAndTellsNoMarks() throws Exception {
        try (RedisServer server = RedisServer.start();
                Sink sink = installed(server);
                RedisFence fence = RedisFence.open(server.uri(), BOUND)) {
            answer(sink.raise(BILLING, mark(7, MarkOwner.ofOperator("me"))));
            server.ask("REPLICAOF", "127.0.0.1", "1");

            assertThatThrownBy(() -> answer(sink.marks())).hasMessageContaining("is a replica");
            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(1, MarkOwner.ofOperator("me")))))
                    .hasMessageContaining("is a replica");
            assertThatThrownBy(() -> fence.write(BILLING, new FencingToken(7), "SET", "a", "b"))
                    .isInstanceOf(NotAdmittedException.class)
                    .hasMessageContaining("is a replica");
        }
    }

    @Test
    void aFullServerTakesNoRaiseAndNoWrite() throws Exception {
        try (RedisServer server = RedisServer.start();
                Sink sink = installed(server);
                RedisFence fence = RedisFence.open(server.uri(), BOUND)) {
            answer(sink.raise(BILLING, mark(7, MarkOwner.ofOperator("me"))));
            server.ask("CONFIG", "SET", "maxmemory", "1");

            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(8, MarkOwner.ofOperator("me")))))
                    .hasMessageContaining("takes no writes, it is full");
            assertThatThrownBy(() -> fence.write(BILLING, new FencingToken(7), "SET", "a", "b"))
                    .hasMessageContaining("takes no writes, it is full");
        }
    }

    /** The folder that it saves to is gone. */
    @Test
    @Timeout(60)
    void aServerThatCannotSaveTakesNoRaiseAndNoWrite() throws Exception {
        try (RedisServer server = RedisServer.start("--enable-protected-configs", "local");
                Sink sink = installed(server);
                RedisFence fence = RedisFence.open(server.uri(), BOUND)) {
            answer(sink.raise(BILLING, mark(7, MarkOwner.ofOperator("me"))));
            try (TemporaryFolder gone = TemporaryFolder.create("gone")) {
                server.ask("CONFIG", "SET", "dir", gone.path().toString());
            }
            server.ask("CONFIG", "SET", "save", "3600 1");
            server.ask("BGSAVE");
            while (!server.ask("INFO", "persistence").contains("rdb_last_bgsave_status:err")) {
                LockSupport.parkNanos(10_000_000);
            }

            assertThatThrownBy(() -> answer(sink.raise(BILLING, mark(8, MarkOwner.ofOperator("me")))))
                    .hasMessageContaining("takes no writes, it is full: MISCONF");
            assertThatThrownBy(() -> fence.write(BILLING, new FencingToken(7), "SET", "a", "b"))
                    .hasMessageContaining("takes no writes, it is full: MISCONF");
        }
    }

    @Test
    void whatIsNotThereNotInstalledOrNotAllowedIsToldInOneSentence() throws Exception {
        int nobody = FreePorts.one();
        try (RedisServer server = RedisServer.start()) {
            String at = "127.0.0.1:" + server.port();
            assertFails("redis://127.0.0.1:" + nobody, "cannot be reached: Connection refused");
            assertFails("redis://no-such-host.invalid", "there is no host no-such-host.invalid");
            assertFails("redis://" + at, "is not installed as a sink: incumbent fence install --sink redis://" + at);
            server.ask("ACL", "SETUSER", "reader", "on", ">SECRET", "~*", "+get");
            server.ask("CONFIG", "SET", "requirepass", "SECRET");
            assertFails("redis://" + at, "asks for a password");
            assertFails("redis://x:SECRET@" + at, "refused the user x: wrong password");
            assertFails("redis://reader:SECRET@" + at, "denies the user reader");
        }
    }

    /** No ACL can force a writer to ask the fence ({@code RedisCliWriterTest}), so the sentence advises none. */
    @Test
    void guardingATableIsRefusedAndPromisesNoOtherWayToForceAWriter() {
        assertThatThrownBy(() -> provider.guard("redis://reader:SECRET@h/0", "ledger", BILLING))
                .isInstanceOf(SinkException.class)
                .hasMessageEndingWith(" has no tables to guard, so not ledger either: Redis cannot refuse a writer"
                        + " that does not ask the fence (docs/sinks/redis.md)")
                .hasMessageNotContaining("SECRET")
                .hasMessageNotContaining("ACL");
    }

    /** Redis picks the keys that it evicts, so the test deletes the mark as an eviction does. */
    @Test
    void aMarkThatIsGoneAdmitsNothingUntilItIsRaisedAgain() throws Exception {
        try (RedisServer server = RedisServer.start();
                Sink sink = installed(server);
                RedisFence fence = RedisFence.open(server.uri(), BOUND)) {
            FencingToken seven = new FencingToken(7);
            answer(sink.raise(BILLING, mark(7, MarkOwner.ofOperator("me"))));
            fence.write(BILLING, seven, "SET", "balance", "7");
            server.ask("DEL", "{incumbent}:mark:billing/closer");

            assertThatThrownBy(() -> fence.write(BILLING, seven, "INCR", "balance"))
                    .isInstanceOf(NotRaisedException.class);

            assertThat(answer(sink.raise(BILLING, mark(7, MarkOwner.ofOperator("me")))))
                    .isInstanceOf(Raise.Raised.class);
            assertThat(fence.write(BILLING, seven, "INCR", "balance")).contains(8L);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://",
                "redis://u:SECRET@",
                "redis://u:SECRET@h:x",
                "redis://h1,h2",
                "redis://h?prefix={a}",
                "redis://h?prefx=a",
                "redis://h?ca=/x.pem",
                "redis://u:SEC?RET@h",
                "redis://u:/SECRET@h",
                "redis://h/x",
                "redis+sentinel://u:SECRET@h/master"
            })
    void aUrlThatNamesNoServerIsRefusedWithoutItsPassword(String url) {
        assertThatThrownBy(() -> provider.open(url, BOUND))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the sink cannot be opened: ")
                .hasMessageNotContaining("SECRET");
    }

    @Test
    void sentinelsAreNotFollowed() {
        assertThatThrownBy(() -> provider.open("redis+sentinel://s1,s2,s3/master", BOUND))
                .hasMessage("the sink cannot be opened: no fence follows sentinels; write"
                        + " redis://HOST:PORT/DATABASE, an address that moves with the master");
    }

    private void assertFails(String url, String sentence) {
        try (Sink sink = provider.open(url, BOUND)) {
            assertThatThrownBy(() -> answer(sink.id()))
                    .isInstanceOf(SinkException.class)
                    .hasMessageContaining(sentence)
                    .hasMessageNotContaining("SECRET");
        }
    }

    private Sink installed(RedisServer server) {
        provider.install(server.uri());
        return provider.open(server.uri(), BOUND);
    }

    private static <T> T answer(CompletionStage<T> stage) throws Exception {
        try {
            return stage.toCompletableFuture().get(20, SECONDS);
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof Exception cause ? cause : failed;
        }
    }

    private static Mark mark(long token, MarkOwner owner) {
        return new Mark(new FencingToken(token), owner);
    }
}
