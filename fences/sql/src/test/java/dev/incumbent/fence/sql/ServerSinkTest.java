package dev.incumbent.fence.sql;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
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
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a raise ends whose connection fails: by what the driver throws, over no server. */
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

    private static void assertRaiseFails(SQLException failure, String told) {
        try (Sink sink = new ServerSink(new Failing(failure), Duration.ofSeconds(30))) {
            assertThatThrownBy(() ->
                            sink.raise(BILLING, MARK).toCompletableFuture().get(10, SECONDS))
                    .hasCauseInstanceOf(dev.incumbent.fence.SinkException.class)
                    .satisfies(thrown -> assertThat(thrown.getCause()).hasMessage(told));
        }
    }

    /** A server that takes connections, and each raise ends in that failure. */
    private record Failing(SQLException failure) implements Server {
        @Override
        public String label() {
            return "a server";
        }

        @Override
        public Connection connect(Duration bound) {
            return (Connection) Proxy.newProxyInstance(
                    Failing.class.getClassLoader(),
                    new Class<?>[] {Connection.class},
                    (self, method, arguments) ->
                            method.getName().equals("hashCode") ? System.identityHashCode(self) : null);
        }

        @Override
        public Raise raise(Connection connection, RaiseAsked asked, Duration wait) throws SQLException {
            throw failure;
        }

        @Override
        public boolean isWaitOver(SQLException failure) {
            return false;
        }

        @Override
        public Optional<String> blocker(Connection connection, ElectionName election) {
            return Optional.empty();
        }

        @Override
        public String meaning(SQLException failure) {
            return String.valueOf(failure.getMessage());
        }
    }
}
