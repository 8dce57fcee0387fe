package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.RedisServer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisPubSub;

/** What the scripts do to one server, message by message, in orders that clients seldom cause: late messages, and an acceptor that missed a round's first half. */
class ScriptTest {
    private static final ElectionName ONE = new ElectionName("one");
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final RedisServer server = SharedServers.one().get(0);
    private final Keys keys = new Keys("scripts-" + TESTS.incrementAndGet());
    private final String register = keys.register("one");
    private final String lease = keys.lease(new LeaseId("a"));

    // A register's acceptor.

    @Test
    void whoAcceptedARoundPromisesNoEarlierOne() {
        assertThat(accept(5, "b", "x")).isEqualTo("1");

        assertThat(prepare(3, "z")).isEqualTo("0 5");
        assertThat(accept(4, "z", "y")).isEqualTo("0 5");
        assertThat(accept(5, "a", "y")).isEqualTo("0 5");
        assertThat(look()).isEqualTo("5 b x body-of-x past-of-x");
    }

    @Test
    void whoPromisedARoundAcceptsNoEarlierOne() {
        assertThat(prepare(5, "b")).startsWith("1 0");

        assertThat(accept(5, "a", "y")).isEqualTo("0 5");
        assertThat(accept(4, "c", "y")).isEqualTo("0 5");
        assertThat(accept(5, "b", "x")).isEqualTo("1");
    }

    @Test
    void aRoundIsPromisedOnce() {
        assertThat(prepare(5, "b")).startsWith("1 0");

        assertThat(prepare(5, "b")).isEqualTo("0 5");
        assertThat(prepare(5, "a")).isEqualTo("0 5");
        assertThat(prepare(5, "c")).startsWith("1 0");
    }

    /** Compared as numbers: as texts, 9 would be above 10. */
    @Test
    void tenIsLaterThanNine() {
        prepare(9, "a");

        assertThat(prepare(10, "a")).startsWith("1 0");
        assertThat(prepare(9, "z")).isEqualTo("0 10");
    }

    @Test
    void aPromiseTellsAllThatWasAccepted() {
        accept(5, "b", "x");

        assertThat(prepare(6, "a")).isEqualTo("1 5 b x body-of-x past-of-x");
    }

    // Leases.

    @Test
    void aLateGrantOfALeaseThatWasToldDeadIsRefused() {
        assertThat(run(Script.KEEP, List.of(lease), "60000")).isEqualTo("0");

        assertThat(grant()).isEqualTo("0");
        assertThat(run(Script.KEEP, List.of(lease), "60000")).isEqualTo("0");
    }

    @Test
    void aLateGrantOfALeaseThatWasRevokedIsRefused() {
        revoke();

        assertThat(grant()).isEqualTo("0");
    }

    @Test
    void aRevokedLeaseIsNotKeptAlive() {
        grant();
        revoke();

        assertThat(run(Script.KEEP, List.of(lease), "60000")).isEqualTo("0");
    }

    @Test
    void whatIsBuriedStaysDead() {
        assertThat(run(Script.LEASES, List.of(keys.nothing(), lease), "60000")).isEqualTo("0 0");

        assertThat(grant()).isEqualTo("0");
    }

    @Test
    void whoLooksOnlyBuriesNobody() {
        assertThat(run(Script.LEASES, List.of(keys.nothing(), lease))).isEqualTo("-1 0");

        assertThat(grant()).isEqualTo("1");
    }

    @Test
    void aRecordWhoseLeaseIsGoneBuriesIt() {
        server.ask("HSET", keys.record(ONE), "record", "r", "nonce", "n", "swaps", "1", "lease", "a");

        run(Script.READ, List.of(keys.nothing(), keys.record(ONE)), keys.leases(), "60000");

        assertThat(grant()).isEqualTo("0");
    }

    /** Else every candidate that ever stood would stay in the server's memory. */
    @Test
    void whoseLeaseIsDeadIsForgotten() {
        enlist();
        List<String> listed = List.of(keys.nothing(), keys.order(ONE), keys.candidates(ONE));
        assertThat(run(Script.CANDIDATES, listed, keys.leases(), "60000")).isEqualTo("{}");

        revoke();

        assertThat(run(Script.CANDIDATES, listed, keys.leases(), "60000")).isEmpty();
        assertNobodyIsKept();
    }

    @Test
    void whoWithdrewIsForgotten() {
        enlist();

        assertThat(run(Script.WITHDRAW, List.of(keys.order(ONE), keys.candidates(ONE)), "c1"))
                .isEqualTo("1");

        assertNobodyIsKept();
    }

    private void enlist() {
        grant();
        List<String> names =
                List.of(keys.nothing(), keys.order(ONE), keys.candidates(ONE), keys.counter(), keys.lists(), lease);
        assertThat(run(Script.ENLIST, names, keys.leases(), "60000", "c1", "a {}", "one"))
                .isEqualTo("1");
    }

    private void assertNobodyIsKept() {
        assertThat(server.ask("EXISTS", keys.order(ONE), keys.candidates(ONE))).isEqualTo(":0");
    }

    // What watchers ask for in their rhythm, should what was published be lost.

    @Test
    void aSwapAndARevocationChangeTheVersionAndALookDoesNot() {
        assertThat(version()).isEmpty();

        swap("", "n1");
        assertThat(version()).isEqualTo("n1");
        swap("n1", "n2");
        swap("n1", "refused");
        assertThat(version()).isEqualTo("n2");

        grant();
        assertThat(version()).isEqualTo("n2");
        revoke();
        assertThat(version()).isEqualTo("dead a");
    }

    /** So that a watcher hears of it at once, and not by its next look. */
    @Test
    void aSwapAndARevocationAreTold() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        JedisPubSub listener = new JedisPubSub() {
            @Override
            public void onSubscribe(String channel, int count) {
                heard.add("listening");
            }

            @Override
            public void onMessage(String channel, String message) {
                heard.add(message);
            }
        };
        try (Jedis client = new Jedis("127.0.0.1", server.port())) {
            Thread listening = new Thread(() -> client.subscribe(listener, keys.changes()));
            listening.start();
            assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("listening");

            swap("", "n1");
            assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("election one");
            grant();
            revoke();
            assertThat(heard.poll(5, TimeUnit.SECONDS)).isEqualTo("lease a");

            listener.unsubscribe();
            listening.join();
        }
    }

    private String version() {
        return run(Script.VERSION, List.of(keys.nothing(), keys.version()));
    }

    private void swap(String expected, String nonce) {
        run(
                Script.SWAP,
                List.of(keys.nothing(), keys.record(ONE), keys.records(), keys.version()),
                keys.leases(),
                "60000",
                expected,
                "{}",
                nonce,
                "",
                "one",
                keys.changes());
    }

    private String grant() {
        return run(Script.GRANT, List.of(lease), "5000 owner", "5000");
    }

    private void revoke() {
        assertThat(run(Script.REVOKE, List.of(lease, keys.version()), "60000", keys.changes(), "a"))
                .isEqualTo("1");
    }

    private String prepare(long counter, String proposer) {
        return run(Script.PREPARE, List.of(register), Long.toString(counter), proposer);
    }

    private String accept(long counter, String proposer, String nonce) {
        return run(
                Script.ACCEPT,
                List.of(register, keys.registers()),
                Long.toString(counter),
                proposer,
                nonce,
                "body-of-" + nonce,
                "past-of-" + nonce,
                "one");
    }

    private String look() {
        return run(Script.LOOK, List.of(keys.nothing(), register));
    }

    /** What it answers, all its parts in order, between blanks. */
    private String run(Script script, List<String> names, String... arguments) {
        List<String> words = new ArrayList<>(List.of("EVAL", script.text(), Integer.toString(names.size())));
        words.addAll(names);
        words.addAll(List.of(arguments));
        String answer = server.ask(words.toArray(String[]::new));
        assertThat(answer).doesNotStartWith("-");
        return String.join(
                " ",
                Arrays.stream(answer.split("\r\n", -1))
                        .filter(line -> !line.startsWith("*") && !line.startsWith("$"))
                        .map(line -> line.startsWith(":") ? line.substring(1) : line)
                        .toList());
    }
}
