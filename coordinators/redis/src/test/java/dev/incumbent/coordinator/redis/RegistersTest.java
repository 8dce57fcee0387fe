package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rounds that others left unfinished: a value that one of three masters accepted, and one of three cut off so that it alone can tell. */
class RegistersTest {
    private static final String ONE = "one";
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final AtomicInteger TESTS = new AtomicInteger();

    private final SystemTimeline time = new SystemTimeline();
    private final Keys keys = new Keys("registers-" + TESTS.incrementAndGet());
    private final List<RedisServer> servers = SharedServers.three();
    private final List<TcpProxy> wires =
            servers.stream().map(server -> TcpProxy.to(server.port())).toList();
    private final Masters masters = new Masters("test", addresses(), time, BOUND);
    private final Registers registers = new Registers(masters, keys, time);

    private List<ServerAddress> addresses() {
        String ports = wires.stream().map(wire -> "127.0.0.1:" + wire.port()).collect(Collectors.joining(","));
        return RedisUri.parse("redlock://" + ports, Optional.empty()).servers();
    }

    @AfterEach
    void close() {
        masters.close();
        wires.forEach(TcpProxy::close);
        time.close();
    }

    @Test
    void whatOneAcceptedIsFinishedByWhoReadsIt() {
        acceptedAt(0, 1, "x", "n1");
        cut(2);

        assertThat(read().nonce()).isEqualTo("n1");
        heal(2);
        cut(0);
        assertThat(read().nonce()).isEqualTo("n1");
    }

    @Test
    void theLaterOfTwoIsTheOneThatCounts() {
        acceptedAt(0, 1, "x", "n1");
        acceptedAt(1, 2, "a", "n2");
        cut(2);

        Registers.Outcome refused = swap("n1", "n3");
        assertThat(refused.isChanged()).isFalse();
        assertThat(refused.current().nonce()).isEqualTo("n2");
        assertThat(swap("n2", "n4").isChanged()).isTrue();
    }

    @Test
    void amongEqualCountersTheProposerDecides() {
        acceptedAt(0, 3, "y", "n1");
        acceptedAt(1, 3, "x", "n2");
        cut(2);

        assertThat(read().nonce()).isEqualTo("n1");
    }

    /** Nobody acknowledged it, and a refusal that tells of it may be what it is taken for: so that is finished, too. */
    @Test
    void aRefusalIsFinishedBeforeItIsTold() {
        acceptedAt(0, 1, "x", "n1");
        cut(2);

        assertThat(swap("other", "n2").current().nonce()).isEqualTo("n1");
        heal(2);
        cut(0);
        assertThat(read().nonce()).isEqualTo("n1");
    }

    @Test
    void aSwapThatMeetsALaterPromiseGoesBeyondIt() {
        for (RedisServer server : servers) {
            assertThat(at(server, Script.PREPARE, List.of(keys.register(ONE)), "40", "z"))
                    .contains(":1");
        }

        assertThat(swap("", "n1").isChanged()).isTrue();
        assertThat(read().ballot().counter()).isGreaterThan(40);
    }

    /** One that says nothing may hold up a round until its time is over; what the others told is not forgotten. */
    @Test
    void aConflictBesideASilentMasterIsOvercomeByTheNextRound() {
        at(servers.get(0), Script.PREPARE, List.of(keys.register(ONE)), "40", "z");
        wires.get(2).cut(TcpProxy.Fault.SILENT);

        assertThatThrownBy(() -> swap("", "n1")).hasCauseInstanceOf(CoordinatorException.class);

        assertThat(swap("", "n1").isChanged()).isTrue();
    }

    @Test
    void aSwapThatIsAskedAgainIsDoneOnce() {
        assertThat(swap("", "n1").isChanged()).isTrue();

        assertThat(swap("", "n1").isChanged()).isTrue();
        assertThat(swap("n1", "n2").isChanged()).isTrue();
        assertThat(read().past()).isEqualTo("\nn1");
    }

    @Test
    void oneOfThreeIsNoMajority() {
        cut(0);
        cut(1);

        assertThatThrownBy(() -> swap("", "n1"))
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(CoordinatorException.class)
                .hasMessageContaining("1 of 3 masters answered, 2 must agree");
        heal(0);
        heal(1);
        cut(2);
        assertThat(swap("", "n2").isChanged()).isTrue();
    }

    private void cut(int index) {
        wires.get(index).cut(TcpProxy.Fault.REFUSED);
    }

    private void heal(int index) {
        wires.get(index).heal();
    }

    private void acceptedAt(int index, long counter, String proposer, String nonce) {
        List<String> names = List.of(keys.register(ONE), keys.registers());
        String answer = at(
                servers.get(index),
                Script.ACCEPT,
                names,
                Long.toString(counter),
                proposer,
                nonce,
                "of " + nonce,
                "",
                ONE);
        assertThat(answer).contains(":1");
    }

    private static String at(RedisServer server, Script script, List<String> names, String... arguments) {
        List<String> words = new ArrayList<>(List.of("EVAL", script.text(), Integer.toString(names.size())));
        words.addAll(names);
        words.addAll(List.of(arguments));
        return server.ask(words.toArray(String[]::new));
    }

    private Registers.Outcome swap(String expected, String nonce) {
        return ended(registers.swap(ONE, expected, nonce, "of " + nonce, deadline()));
    }

    private Version read() {
        Map<String, Version> found = ended(registers.read(List.of(ONE), deadline()));
        return Optional.ofNullable(found.get(ONE)).orElseThrow();
    }

    private long deadline() {
        return time.nanos() + BOUND.toNanos();
    }

    private static <T> T ended(CompletableFuture<T> asked) {
        return asked.orTimeout(10, TimeUnit.SECONDS).join();
    }
}
