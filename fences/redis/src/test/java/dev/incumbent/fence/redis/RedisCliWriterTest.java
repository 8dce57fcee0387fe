package dev.incumbent.fence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.RedisServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

/** The lines of {@code docs/sinks/redis.md} that a shell runs, and what that page says of rights and of commands that fail. */
class RedisCliWriterTest {
    private static final ElectionName CLOSER = new ElectionName("billing/closer");
    private static final Duration BOUND = Duration.ofSeconds(10);

    private final RedisServer server = RedisServer.start();

    @BeforeEach
    void raise() throws Exception {
        new RedisSinkProvider().install(server.uri());
        try (Jedis jedis = jedis()) {
            assertThat(jedis.keys("*")).containsExactly("{incumbent}:sink");
        }
        try (Sink sink = new RedisSinkProvider().open(server.uri(), BOUND)) {
            sink.raise(CLOSER, new Mark(new FencingToken(7), MarkOwner.ofOperator("me")))
                    .toCompletableFuture()
                    .get();
        }
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void theLinesOfThePageWriteWithTheTokenInForceAlone() throws Exception {
        for (String line : new String[] {"redis-cli EVAL ", "(printf "}) {
            assertThat(ran(line, "6")).contains("IFSTALE the mark is 7 of operator:me");
            assertThat(ran(line, "8")).contains("IFNOTRAISED the mark is 7 of operator:me");
            assertThat(ran(line, "seven")).contains("IFUNREADABLE");
            try (Jedis jedis = jedis()) {
                assertThat(jedis.exists("balance")).isFalse();
                assertThat(ran(line, "7")).doesNotContain("IF");
                assertThat(jedis.get("balance")).isEqualTo("7");
                jedis.del("balance");
            }
        }
        assertThat(ran("redis-cli hgetall ", "7")).isEqualTo("token\n7\nowner\noperator:me\n");
    }

    @Test
    void aCommandThatFailsEndsTheRestAndUndoesNothing() throws Exception {
        try (RedisFence fence = RedisFence.open(server.uri(), BOUND);
                Jedis jedis = jedis()) {
            jedis.set("text", "x");
            RedisFence.Transaction transaction = fence.begin();
            transaction.admit(CLOSER, new FencingToken(7));
            transaction.add("SET", "before", "1");
            transaction.add("RPUSH", "text", "y");
            transaction.add("SET", "after", "1");

            assertThatThrownBy(transaction::commit).isInstanceOf(NotAdmittedException.class);

            assertThat(jedis.mget("before", "after")).containsExactly("1", null);
        }
    }

    /** Redis asks whoever calls a script for the right to write each key that the script is given, and the mark's is one of them. */
    @Test
    void aWriterNeedsTheRightToWriteTheMarkToo() {
        server.ask("ACL", "SETUSER", "writer", "on", ">w", "resetkeys", "%R~{incumbent}:*", "~balance", "+@all");
        try (RedisFence fence = RedisFence.open("redis://writer:w@127.0.0.1:" + server.port(), BOUND);
                Jedis writer = jedis()) {
            writer.auth("writer", "w");

            assertThatThrownBy(() -> fence.write(CLOSER, new FencingToken(7), "SET", "balance", "7"))
                    .hasMessageContaining("denies the user writer what a fence needs");
            assertThat(writer.set("balance", "unfenced")).isEqualTo("OK");
            server.ask("ACL", "SETUSER", "writer", "~{incumbent}:mark:*");

            assertThat(admitted(fence)).isTrue();
            assertThat(writer.get("balance")).isEqualTo("7");
        }
    }

    private static boolean admitted(RedisFence fence) {
        try {
            return fence.write(CLOSER, new FencingToken(7), "SET", "balance", "7")
                    .isPresent();
        } catch (FenceException refused) {
            throw new AssertionError(refused);
        }
    }

    /** The block of the page that has this line, as a shell runs it. */
    private String ran(String line, String token) throws Exception {
        Matcher block = Pattern.compile("```sh\n((?:(?!```).)*?" + Pattern.quote(line) + ".*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("..", "..", "docs", "sinks", "redis.md")));
        assertThat(block.find()).as(line).isTrue();
        String lines = line.startsWith("redis-cli hgetall")
                ? block.group(1).lines().findFirst().orElseThrow()
                : block.group(1);
        ProcessBuilder shell = new ProcessBuilder(
                        "bash", "-c", "redis-cli() { command redis-cli -p " + server.port() + " \"$@\"; }\n" + lines)
                .directory(Path.of("src", "main", "resources", "dev", "incumbent", "fence", "redis")
                        .toFile())
                .redirectErrorStream(true);
        shell.environment().put("INCUMBENT_TOKEN", token);
        Process process = shell.start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private Jedis jedis() {
        return new Jedis("127.0.0.1", server.port());
    }
}
