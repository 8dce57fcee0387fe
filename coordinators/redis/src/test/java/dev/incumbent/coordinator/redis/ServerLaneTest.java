package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol.Command;

/** Requests that a server answers late or never: BLPOP is answered once somebody pushes. Their deadlines are virtual. */
@Tag("patient")
class ServerLaneTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final Duration SOON = Duration.ofMillis(50);

    private final VirtualTimeline time = new VirtualTimeline();
    private final SystemTimeline patience = new SystemTimeline();
    private final RedisServer server = RedisServer.start();
    private final TcpProxy wire = TcpProxy.to(server.port());
    private final ServerLane lane = new ServerLane("test", Place.fixed(address(), Role.MASTER), time, LONG);

    private ServerAddress address() {
        return RedisUri.parse("redis://127.0.0.1:" + wire.port(), Optional.empty())
                .servers()
                .get(0);
    }

    @AfterEach
    void close() {
        lane.close();
        wire.close();
        server.close();
        patience.close();
    }

    @Test
    void aRequestThatWasSentAndIsLateEndsTheConnectionAndTheNextConnectsAnew() {
        CompletableFuture<String> late = blocked("late", SOON);
        awaitBlocked(1);

        time.advance(SOON);

        assertThat(failure(late).getMessage())
                .isEqualTo("the connection to redis://127.0.0.1:" + wire.port() + "/0 did not answer in time");
        assertThat(failure(late).mayHaveApplied()).isTrue();
        assertThat(ended(ping())).isEqualTo("PONG");
    }

    /** The deadlines of what goes together differ: here the last one passes while the first answer is out, and its own answer never comes. */
    @Test
    void anAnswerThatNobodyWaitsForAnyMoreHoldsUpNobody() {
        CompletableFuture<String> first = blocked("first", LONG);
        awaitBlocked(1);
        CompletableFuture<String> second = blocked("second", LONG);
        CompletableFuture<String> never = blocked("never", SOON);
        push("first");
        assertThat(ended(first)).contains("first");
        awaitBlocked(1);
        time.advance(SOON);
        assertThat(failure(never)).hasMessageContaining("did not answer in time");

        push("second");

        assertThat(ended(second)).contains("second");
        assertThat(ended(ping())).isEqualTo("PONG");
    }

    @Test
    void whatWaitsAndIsLateIsNeverSent() {
        CompletableFuture<String> first = blocked("first", LONG);
        awaitBlocked(1);
        CompletableFuture<String> late = lane.submit(set(), Reply::text, at(SOON));

        time.advance(SOON);

        assertThat(failure(late).mayHaveApplied()).isFalse();
        push("first");
        ended(first);
        assertThat(ended(ping())).isEqualTo("PONG");
        assertThat(server.ask("EXISTS", "written")).startsWith(":0");
    }

    /** It goes together with one that somebody waits for. */
    @Test
    void whatIsLateBeforeTheConnectionIsMadeIsNeverSent() {
        CompletableFuture<String> ending = blocked("ending", SOON);
        awaitBlocked(1);
        CompletableFuture<String> late = lane.submit(set(), Reply::text, at(SOON.multipliedBy(2)));
        CompletableFuture<String> inTime = ping();
        wire.hold();
        time.advance(SOON);
        assertThat(failure(ending).mayHaveApplied()).isTrue();
        await(wire::isHolding);

        time.advance(SOON);
        wire.letGo();

        assertThat(failure(late).mayHaveApplied()).isFalse();
        assertThat(ended(inTime)).isEqualTo("PONG");
        assertThat(server.ask("EXISTS", "written")).startsWith(":0");
    }

    @Test
    void aCloseEndsWhatWasSentWithItsConnection() {
        CompletableFuture<String> sent = blocked("sent", LONG);
        awaitBlocked(1);
        CompletableFuture<String> waits = lane.submit(set(), Reply::text);

        lane.close();

        assertThat(failure(sent)).hasMessageEndingWith("was closed meanwhile");
        assertThat(failure(sent).mayHaveApplied()).isTrue();
        assertThat(failure(waits).mayHaveApplied()).isFalse();
        assertThat(failure(ping())).hasMessageEndingWith("is closed");
        awaitBlocked(0);
    }

    @Test
    void aCloseEndsTheConnectionOfALaneThatHasNothingToDo() {
        assertThat(ended(lane.submit(name(), Reply::text))).isEqualTo("OK");
        assertThat(connections()).isEqualTo(1);

        lane.close();

        await(() -> connections() == 0);
    }

    @Test
    void anAnswerThatIsNotUnderstoodMayHaveApplied() {
        CompletableFuture<String> odd = lane.submit(set(), reply -> {
            throw new IllegalStateException("odd");
        });

        assertThat(failure(odd)).hasMessageContaining("an answer that cannot be understood");
        assertThat(failure(odd).mayHaveApplied()).isTrue();
        assertThat(server.ask("EXISTS", "written")).startsWith(":1");
    }

    /** A request that cannot even be put together leaves half of it, and answers of others, on the connection. */
    @Test
    @SuppressWarnings("NullAway") // That is what breaks it.
    void aFailureOfOursEndsTheConnection() {
        CompletableFuture<String> first = blocked("first", LONG);
        awaitBlocked(1);
        CompletableFuture<String> clean = ping();
        CompletableFuture<String> broken = lane.submit(new Request(null, List.of(), true), Reply::text);
        push("first");
        ended(first);

        assertThat(failure(clean)).hasMessageContaining(" failed: ");
        assertThat(failure(broken).mayHaveApplied()).isTrue();
        assertThat(ended(lane.submit(Request.of(Command.ECHO, "again"), Reply::text)))
                .isEqualTo("again");
    }

    private CompletableFuture<String> blocked(String list, Duration bound) {
        Request pop = new Request(Command.BLPOP, List.of(list, "0"), true);
        return lane.submit(pop, reply -> String.join(" ", reply.texts()), at(bound));
    }

    private CompletableFuture<String> ping() {
        return lane.submit(Request.of(Command.PING), Reply::text);
    }

    private Request set() {
        return new Request(Command.SET, List.of("written", "1"), true);
    }

    private Request name() {
        return Request.of(Command.CLIENT, "SETNAME", "lane");
    }

    private void push(String list) {
        server.ask("LPUSH", list, "1");
    }

    private int connections() {
        try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
            return jedis.clientList().split("name=lane ", -1).length - 1;
        }
    }

    /** Waits until so many clients wait for somebody to push. */
    private void awaitBlocked(int count) {
        try (Jedis jedis = new Jedis("127.0.0.1", server.port())) {
            await(() -> jedis.info("clients").contains("blocked_clients:" + count + "\r"));
        }
    }

    private void await(BooleanSupplier condition) {
        long end = patience.nanos() + LONG.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(patience.nanos() - end).isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    private long at(Duration fromNow) {
        return time.nanos() + fromNow.toNanos();
    }

    private static <T> T ended(CompletableFuture<T> call) {
        return call.orTimeout(30, TimeUnit.SECONDS).join();
    }

    private static CoordinatorException failure(CompletableFuture<?> call) {
        return call.orTimeout(30, TimeUnit.SECONDS)
                .handle((value, failure) -> (CoordinatorException) failure)
                .join();
    }
}
