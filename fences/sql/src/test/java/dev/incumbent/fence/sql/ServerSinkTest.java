package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** How a raise ends whose connection fails, or that waits in vain: by what the driver throws, over no server. */
class ServerSinkTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final Mark MARK = new Mark(new FencingToken(7), MarkOwner.ofCandidate(new CandidateId("ann")));

    @Test
    void aRaiseWhoseConnectionWaitedInVainGaveUp() {
        SQLException asDriversThrowIt = new SQLNonTransientConnectionException(
                "(conn=5) Read timed out", new SQLException(new SocketTimeoutException("Read timed out")));

        assertRaiseFails(asDriversThrowIt, "a server: raising billing to 7 of candidate:ann gave up after 30000 ms");
    }

    @Test
    void aRaiseWhoseConnectionFailsFailed() {
        SQLException refused = new SQLException("Connection refused", new ConnectException("Connection refused"));

        assertRaiseFails(refused, "a server: raising billing to 7 of candidate:ann failed: Connection refused");
    }

    @Test
    void aRaiseThatWaitsLooksForItsBlockerUntilItHasFoundIt() {
        var waiting = new CountDownLatch(1);
        Deque<Look> looks = new ConcurrentLinkedDeque<>(List.of(
                () -> {
                    throw new SQLException("SELECT command denied");
                },
                Optional::empty,
                () -> Optional.of("connection 5"),
                () -> Optional.of("somebody else")));

        try (Sink sink = new ServerSink(new Waited(waiting, looks), Duration.ofSeconds(3))) {
            assertThatThrownBy(() ->
                            sink.raise(BILLING, MARK).toCompletableFuture().get(30, SECONDS))
                    .hasMessageEndingWith(
                            ": raising billing to 7 of candidate:ann gave up after 3000 ms; it waits for connection 5")
                    .cause()
                    .hasNoSuppressedExceptions();
        } finally {
            waiting.countDown();
        }
        assertThat(looks).as("looks that were not needed").hasSize(1);
    }

    @Test
    void aRaiseThatCouldNotLookForItsBlockerTellsWhy() {
        var waiting = new CountDownLatch(1);
        Deque<Look> looks = new ConcurrentLinkedDeque<>(List.of(() -> {
            throw new SQLException("SELECT command denied");
        }));

        try (Sink sink = new ServerSink(new Waited(waiting, looks), Duration.ofSeconds(1))) {
            assertThatThrownBy(() ->
                            sink.raise(BILLING, MARK).toCompletableFuture().get(30, SECONDS))
                    .hasMessageEndingWith("gave up after 1000 ms")
                    .cause()
                    .hasSuppressedException(new SinkException(
                            "a server: whom it waits for could not be found out: SELECT command denied"));
        } finally {
            waiting.countDown();
        }
    }

    @Test
    void whereALaterLookFindsNobodyAnEarlierFailureIsNotTold() {
        var waiting = new CountDownLatch(1);
        Deque<Look> looks = new ConcurrentLinkedDeque<>(List.of(
                () -> {
                    throw new SQLException("SELECT command denied");
                },
                Optional::empty));

        try (Sink sink = new ServerSink(new Waited(waiting, looks), Duration.ofSeconds(3))) {
            assertThatThrownBy(() ->
                            sink.raise(BILLING, MARK).toCompletableFuture().get(30, SECONDS))
                    .hasMessageEndingWith("gave up after 3000 ms")
                    .cause()
                    .hasNoSuppressedExceptions();
        } finally {
            waiting.countDown();
        }
    }

    /** Both looks would come at the same time. */
    @Test
    void onlyARaiseThatStillWaitsIsLookedForAndItsWaitEndsBeforeTheBound() throws Exception {
        ElectionName early = new ElectionName("early");
        Queue<ElectionName> lookedFor = new ConcurrentLinkedQueue<>();
        Queue<Duration> waits = new ConcurrentLinkedQueue<>();
        var waiting = new CountDownLatch(1);
        Scripted server = new Scripted() {
            @Override
            public Raise raise(Connection connection, RaiseAsked asked, Duration wait) throws SQLException {
                waits.add(wait);
                if (!asked.election().equals(early)) {
                    new Waited(waiting, new ConcurrentLinkedDeque<>()).raise(connection, asked, wait);
                }
                return new Raise.Raised(asked.mark());
            }

            @Override
            public Optional<String> blocker(Connection connection, ElectionName election) {
                lookedFor.add(election);
                return Optional.empty();
            }
        };

        try (Sink sink = new ServerSink(server, Duration.ofSeconds(2))) {
            assertThat(sink.raise(early, MARK).toCompletableFuture().get(30, SECONDS))
                    .isEqualTo(new Raise.Raised(MARK));
            assertThatThrownBy(() ->
                            sink.raise(BILLING, MARK).toCompletableFuture().get(30, SECONDS))
                    .hasMessageEndingWith("gave up after 2000 ms");
        } finally {
            waiting.countDown();
        }
        assertThat(lookedFor).contains(BILLING).doesNotContain(early);
        assertThat(waits).containsOnly(Duration.ofMillis(1_700));
    }

    private static void assertRaiseFails(SQLException failure, String told) {
        try (Sink sink = new ServerSink(new Failing(failure), Duration.ofSeconds(30))) {
            assertThatThrownBy(() ->
                            sink.raise(BILLING, MARK).toCompletableFuture().get(10, SECONDS))
                    .hasCauseInstanceOf(SinkException.class)
                    .satisfies(thrown -> assertThat(thrown.getCause()).hasMessage(told));
        }
    }

    /** What comes of a look for a blocker. */
    private interface Look {
        Optional<String> found() throws SQLException;
    }

    /** A server that takes connections. */
    private interface Scripted extends Server {
        @Override
        default String label() {
            return "a server";
        }

        @Override
        default Connection connect(Duration bound) {
            return (Connection) Proxy.newProxyInstance(
                    Scripted.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (self, method, arguments) ->
                            method.getName().equals("hashCode") ? System.identityHashCode(self) : null);
        }

        @Override
        default boolean isWaitOver(SQLException failure) {
            return false;
        }

        @Override
        default Optional<String> blocker(Connection connection, ElectionName election) throws SQLException {
            return Optional.empty();
        }

        @Override
        default String meaning(SQLException failure) {
            return String.valueOf(failure.getMessage());
        }
    }

    /** Each raise ends in that failure. */
    private record Failing(SQLException failure) implements Scripted {
        @Override
        public Raise raise(Connection connection, RaiseAsked asked, Duration wait) throws SQLException {
            throw failure;
        }
    }

    /** Each raise waits until the test is over; who looks for its blocker is answered so, one after the other. */
    private record Waited(CountDownLatch over, Deque<Look> looks) implements Scripted {
        @Override
        public Raise raise(Connection connection, RaiseAsked asked, Duration wait) throws SQLException {
            try {
                over.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new SQLException("over");
        }

        @Override
        public Optional<String> blocker(Connection connection, ElectionName election) throws SQLException {
            Look next = looks.size() > 1 ? looks.remove() : looks.element();
            return next.found();
        }
    }
}
