package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Rounds that others left unfinished: a value that one of three masters accepted, and one of three cut off so that it alone can tell. */
@Tag("realtime")
class RegistersTest {
    private static final String ONE = "one";
    private static final Duration BOUND = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** For what the test does between an answer and its arrival, on a busy machine. */
    private static final Duration LONG_ENOUGH = Duration.ofMillis(1_500);

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
        wires.get(0).slowAnswers(Duration.ofMillis(50));

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

        assertThatThrownBy(() -> swap("", "n1"))
                .hasMessageContaining("others changed one all the time")
                .cause()
                .isInstanceOfSatisfying(
                        CoordinatorException.class,
                        told -> assertThat(told.mayHaveApplied())
                                .as("nothing was sent but promises")
                                .isFalse());

        assertThat(swap("", "n1").isChanged()).isTrue();
    }

    /** A round takes 200 ms here: who waits less than that before the next one meets the same others again. */
    @Test
    void manyProposersOverSlowWiresAllGetThrough() {
        wires.forEach(wire -> wire.slowAnswers(Duration.ofMillis(100)));
        List<Masters> theirs = new ArrayList<>();
        List<CompletableFuture<Registers.Outcome>> swaps = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Masters own = new Masters("proposer " + i, addresses(), time, BOUND);
            theirs.add(own);
            long deadline = time.nanos() + Duration.ofSeconds(8).toNanos();
            swaps.add(new Registers(own, keys, time).swap(ONE, "", "n" + i, "of n" + i, deadline));
        }

        List<Registers.Outcome> outcomes =
                swaps.stream().map(RegistersTest::ended).toList();

        assertThat(outcomes).filteredOn(Registers.Outcome::isChanged).hasSize(1);
        theirs.forEach(Masters::close);
    }

    /** Of a round that is under way, which the reader's own would stop. */
    @Test
    void aReadThatMeetsAPromiseLooksAgainBeforeItBeginsARound() {
        assertThat(swap("", "n1").isChanged()).isTrue();
        acceptedAt(0, 90, "z", "n2");
        cut(2);
        wires.get(1).slowAnswers(Duration.ofMillis(300));
        CompletableFuture<Map<String, Version>> read = registers.read(
                List.of(ONE), time.nanos() + Duration.ofSeconds(8).toNanos());
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        acceptedAt(1, 90, "z", "n2");

        Version found = Optional.ofNullable(ended(read).get(ONE)).orElseThrow();

        assertThat(found.nonce()).isEqualTo("n2");
        assertThat(stored(0, "pc")).as("no promise of the reader's").endsWith("90");
        assertThat(stored(1, "pc")).endsWith("90");
    }

    @Test
    void aSwapThatIsAskedAgainIsDoneOnce() {
        assertThat(swap("", "n1").isChanged()).isTrue();

        assertThat(swap("", "n1").isChanged()).isTrue();
        assertThat(swap("n1", "n2").isChanged()).isTrue();
        assertThat(read().past()).isEqualTo("\nn1");
    }

    /** Its round was cut short, and finished by another, who changed the register thereafter: it has been done all the same. */
    @Test
    void whoseRoundAnotherFinishedIsToldThatItWasDone() throws Exception {
        CompletableFuture<Registers.Outcome> swap = swapThatAnotherFollows("\nn1");

        assertThat(swap.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isChanged()).isTrue();
        assertThat(swap.join().current().nonce()).isEqualTo("n2");
    }

    @Test
    void whoseRoundAnotherPassedOverIsRefused() throws Exception {
        CompletableFuture<Registers.Outcome> swap = swapThatAnotherFollows("");

        assertThat(swap.get(PATIENCE.toSeconds(), TimeUnit.SECONDS).isChanged()).isFalse();
    }

    @Test
    void whereNobodyRemembersItIsUncertain() {
        CompletableFuture<Registers.Outcome> swap = swapThatAnotherFollows("m1\nm2");

        assertThatThrownBy(() -> swap.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .hasMessageContaining("followed by so many that nobody knows of it")
                .cause()
                .isInstanceOfSatisfying(
                        CoordinatorException.class,
                        told -> assertThat(told.mayHaveApplied()).isTrue());
    }

    /** Its time is over after a round that one master accepted and another refused: whoever comes next may finish it yet. */
    @Test
    void whoGivesUpAfterOneAcceptedItIsUncertain() {
        LateTimeline late = new LateTimeline(time);

        CompletableFuture<Registers.Outcome> swap = swapThatOneRefuses(new Registers(masters, keys, late), late);

        assertThatThrownBy(() -> swap.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .hasMessageContaining("others changed one all the time, in 1 rounds")
                .cause()
                .isInstanceOfSatisfying(
                        CoordinatorException.class,
                        told -> assertThat(told.mayHaveApplied()).isTrue());
    }

    /** One of two accepts it, the other has promised another round meanwhile; that writes n2, made from what {@code past} tells. */
    private CompletableFuture<Registers.Outcome> swapThatAnotherFollows(String past) {
        CompletableFuture<Registers.Outcome> swap = swapThatOneRefuses(registers, new LateTimeline(time));
        acceptedAt(0, 60, "z", "n2", past);
        acceptedAt(1, 60, "z", "n2", past);
        return swap;
    }

    /** While its first round is under way that timeline comes to its deadline. */
    private CompletableFuture<Registers.Outcome> swapThatOneRefuses(Registers asked, LateTimeline late) {
        ended(registers.read(List.of("another, to connect"), inTime()));
        cut(2);
        wires.forEach(wire -> wire.slowAnswers(LONG_ENOUGH));
        CompletableFuture<Registers.Outcome> swap = asked.swap(ONE, "", "n1", "of n1", inTime());
        late.advance(PATIENCE);
        await(() -> stored(1, "pc").endsWith("\n1"));
        at(servers.get(1), Script.PREPARE, List.of(keys.register(ONE)), "50", "z");
        await(() -> stored(0, "nonce").endsWith("n1"));
        return swap;
    }

    /** The time of another, which may go ahead of it. */
    private static final class LateTimeline implements Timeline {
        private final Timeline real;
        private final AtomicLong ahead = new AtomicLong();

        LateTimeline(Timeline real) {
            this.real = real;
        }

        void advance(Duration by) {
            ahead.addAndGet(by.toNanos());
        }

        @Override
        public long nanos() {
            return real.nanos() + ahead.get();
        }

        @Override
        public long wallMillis() {
            return real.wallMillis();
        }

        @Override
        public OptionalLong bootNanos() {
            return OptionalLong.empty();
        }

        @Override
        public Alarm at(long instant, Runnable task) {
            return real.at(instant - ahead.get(), task);
        }
    }

    /** A question ends once two of three have answered it: that the third is connected shows what it has stored. */
    private void connectAll() {
        String another = "another";
        assertThat(registers
                        .swap(another, "", "n0", "of n0", inTime())
                        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .join()
                        .isChanged())
                .isTrue();
        await(() -> servers.stream()
                .allMatch(server ->
                        server.ask("HGET", keys.register(another), "nonce").endsWith("n0")));
    }

    /** Beyond any round over slow wires on a busy machine. */
    private long inTime() {
        return time.nanos() + PATIENCE.toNanos();
    }

    private String stored(int index, String field) {
        return servers.get(index).ask("HGET", keys.register(ONE), field);
    }

    private void await(BooleanSupplier condition) {
        long deadline = inTime();
        while (!condition.getAsBoolean()) {
            assertThat(time.nanos()).isLessThan(deadline);
            LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
        }
    }

    @Test
    void theLastSixteenAreRemembered() {
        String last = "";
        List<String> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            assertThat(swap(last, "n" + i).isChanged()).isTrue();
            all.add(last);
            last = "n" + i;
        }

        assertThat(read().past()).isEqualTo(String.join("\n", all.subList(4, 20)));
    }

    @Test
    void oneOfThreeIsNoMajority() {
        cut(0);
        cut(1);

        assertThatThrownBy(() -> swap("", "n1"))
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("1 of 3 masters answered, 2 must agree")
                .cause()
                .isInstanceOfSatisfying(
                        CoordinatorException.class,
                        told -> assertThat(told.mayHaveApplied()).isFalse());
        heal(0);
        heal(1);
        cut(2);
        assertThat(swap("", "n2").isChanged()).isTrue();
    }

    /** It arrives at two masters, and their answers do not come. */
    @Test
    void aSwapWhoseFirstStepIsNotAnsweredHasNotApplied() {
        connectAll();
        wires.get(0).cut(TcpProxy.Fault.MUTE);
        wires.get(1).cut(TcpProxy.Fault.MUTE);

        assertThatThrownBy(() -> swap("", "n1"))
                .cause()
                .isInstanceOfSatisfying(
                        CoordinatorException.class,
                        told -> assertThat(told.mayHaveApplied()).isFalse());
        assertThat(stored(0, "pc")).as("the promise was asked for").contains("\n");
        assertThat(stored(0, "nonce")).doesNotContain("n1");
    }

    private void cut(int index) {
        wires.get(index).cut(TcpProxy.Fault.REFUSED);
    }

    private void heal(int index) {
        wires.get(index).heal();
    }

    private void acceptedAt(int index, long counter, String proposer, String nonce) {
        acceptedAt(index, counter, proposer, nonce, "");
    }

    private void acceptedAt(int index, long counter, String proposer, String nonce, String past) {
        List<String> names = List.of(keys.register(ONE), keys.registers());
        String answer = at(
                servers.get(index),
                Script.ACCEPT,
                names,
                Long.toString(counter),
                proposer,
                nonce,
                "of " + nonce,
                past,
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
