package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.Waiting;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The sessions of HikariCP under a fence on MySQL, which ends each that has been idle for a lease. MariaDB's driver tells so (4031, HY000), and leaves the connection open: the pool keeps it
 * unless it is told not to.
 */
@Tag("field")
@Tag("realtime")
class PooledSessionsTest {
    /** The server counts in whole seconds; none of the tests pauses for as long without meaning to. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    private static final int ENDED_FOR_IDLENESS = 4031;

    private final MySqlDatabase database = MySqlDatabase.create();
    private final List<HikariDataSource> pools = new ArrayList<>();

    @BeforeEach
    void raise() {
        Mark mark = new Mark(new FencingToken(7), MarkOwner.ofCandidate(new CandidateId("leader")));
        try (Sink sink = new SqlSinkProvider().open(database.url(), Duration.ofSeconds(60))) {
            assertThat(sink.raise(Leader.BILLING, mark, LEASE)
                            .toCompletableFuture()
                            .join())
                    .isEqualTo(new Raise.Raised(mark));
        }
    }

    @AfterEach
    void close() {
        pools.forEach(HikariDataSource::close);
        database.close();
    }

    /** Tells the pool to lend a session no more that the server has ended. */
    public static final class Ended implements SQLExceptionOverride {
        @java.lang.Override
        public Override adjudicate(SQLException failure) {
            return failure.getErrorCode() == ENDED_FOR_IDLENESS ? Override.MUST_EVICT : Override.CONTINUE_EVICT;
        }
    }

    /** HikariCP asks a session that lay for half a second whether it lives. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aSessionThatWasEndedInThePoolIsNotLent(boolean isTold) throws SQLException {
        FencedDataSource fenced = fenced(isTold);
        long session = written(fenced, "first");
        awaitEnd(session);

        assertThat(written(fenced, "second")).isNotEqualTo(session);

        assertThat(database.lines()).containsExactly("first", "second");
    }

    /** The pool lends it again, until it has lain for half a second: then HikariCP asks whether it lives. */
    @Test
    void aWriteOverASessionThatWasEndedWhileItWasLentIsNotAppliedAndNorIsTheNextThatFails() throws SQLException {
        FencedDataSource fenced = fenced(false);
        writtenInVain(fenced, "in vain");

        List<SQLException> failures = new ArrayList<>();
        Waiting.until("a write is applied", () -> {
            Optional<SQLException> failure = failure(fenced, "once");
            failure.ifPresent(failures::add);
            return failure.isEmpty();
        });

        assertThat(failures).allSatisfy(PooledSessionsTest::assertUnconnected);
        assertThat(database.lines()).containsExactly("once");
    }

    @Test
    void aPoolThatIsToldOfTheErrorLendsAnotherSessionAtOnce() throws SQLException {
        FencedDataSource fenced = fenced(true);
        for (int i = 0; i < 2; i++) {
            writtenInVain(fenced, "in vain");

            written(fenced, "at once " + i);
        }

        assertThat(database.lines()).containsExactly("at once 0", "at once 1");
    }

    /** Idle in a transaction: all of it is undone. */
    @Test
    void nothingIsAppliedOfATransactionWhoseSessionWasEndedBeforeItsCommit() throws SQLException {
        FencedDataSource fenced = fenced(true);
        try (Connection lent = fenced.getConnection()) {
            lent.setAutoCommit(false);
            Leader.insert(lent, "uncommitted");
            awaitEnd(session(lent));

            assertThat(failure(lent::commit)).hasValueSatisfying(PooledSessionsTest::assertEnded);
        }
        written(fenced, "at once");

        assertThat(database.lines()).containsExactly("at once");
    }

    /** HikariCP takes no life, and no time between its own looks, of less than half a minute: shorter ones are its defaults. */
    @Test
    void aShorterLifeIsNone() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaxLifetime(LEASE.multipliedBy(4).toMillis());
        config.setKeepaliveTime(LEASE.multipliedBy(4).toMillis());

        config.validate();

        assertThat(Duration.ofMillis(config.getMaxLifetime())).isEqualTo(Duration.ofMinutes(30));
        assertThat(Duration.ofMillis(config.getKeepaliveTime())).isNotEqualTo(LEASE.multipliedBy(4));
    }

    /** Of one session at most. */
    private FencedDataSource fenced(boolean isTold) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.url());
        config.setMaximumPoolSize(1);
        if (isTold) {
            config.setExceptionOverrideClassName(Ended.class.getName());
        }
        HikariDataSource pool = new HikariDataSource(config);
        pools.add(pool);
        return FencedDataSource.over(pool, Leader.BILLING, () -> new FencingToken(7));
    }

    /** Writes in a transaction, and tells by which session. */
    private static long written(FencedDataSource fenced, String line) throws SQLException {
        try (Connection lent = fenced.getConnection()) {
            lent.setAutoCommit(false);
            Leader.insert(lent, line);
            long session = session(lent);
            lent.commit();
            return session;
        }
    }

    /** By a session that the server ends while it is lent and idle. HikariCP asks it for its settings when it is given back, and may throw then. */
    private void writtenInVain(FencedDataSource fenced, String line) {
        failure(() -> {
                    try (Connection lent = fenced.getConnection()) {
                        lent.setAutoCommit(false);
                        long session = session(lent);
                        lent.commit();
                        awaitEnd(session);

                        assertThat(failure(() -> Leader.insert(lent, line)))
                                .hasValueSatisfying(PooledSessionsTest::assertEnded);
                    }
                })
                .ifPresent(PooledSessionsTest::assertUnconnected);
    }

    private static void assertUnconnected(SQLException failure) {
        assertThat(failure.getSQLState()).as(failure.getMessage()).startsWith("08");
    }

    /** By the driver's own exception, or by what the fence makes of it. */
    private static void assertEnded(SQLException failure) {
        assertThat((Throwable) failure).hasMessageContaining("disconnected by the server because of inactivity");
        assertThat(Stream.iterate((Throwable) failure, cause -> cause != null, Throwable::getCause))
                .anySatisfy(cause -> assertThat(cause)
                        .isInstanceOfSatisfying(
                                SQLException.class,
                                told -> assertThat(told.getErrorCode()).isEqualTo(ENDED_FOR_IDLENESS)));
    }

    private static long session(Connection lent) throws SQLException {
        try (Statement statement = lent.createStatement();
                ResultSet row = statement.executeQuery("SELECT connection_id()")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void awaitEnd(long session) {
        Waiting.until(
                "the end of session " + session,
                () -> database.column("SELECT id FROM information_schema.processlist WHERE id = " + session)
                        .isEmpty());
    }

    private Optional<SQLException> failure(FencedDataSource fenced, String line) {
        return failure(() -> written(fenced, line));
    }

    private interface Work {
        void run() throws SQLException;
    }

    private static Optional<SQLException> failure(Work work) {
        try {
            work.run();
            return Optional.empty();
        } catch (SQLException failure) {
            return Optional.of(failure);
        }
    }
}
