package dev.incumbent.cli.demo;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.sql.JdbcFence;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.wire.Redaction;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * The table that the demo's leaders append to, and beside it the attempts to do so.
 *
 * <p>An attempt is committed through a connection of its own before its write is tried, with the greatest token that the ledger held at that instant: so the
 * ledger itself remembers which writes came late, whether they were then accepted or not. Not thread-safe.
 */
final class Ledger implements AutoCloseable {
    private static final int MOST_TRIES = 10;

    private final ElectionName election;
    private final boolean fenced;
    private final Connection writes;
    private final Connection attempts;

    private Ledger(ElectionName election, boolean fenced, Connection writes, Connection attempts) {
        this.election = election;
        this.fenced = fenced;
        this.writes = writes;
        this.attempts = attempts;
    }

    /** The ledger in the database at a sink's URL, its tables made where they are missing. */
    static Ledger open(String sinkUrl, ElectionName election, boolean fenced) throws SQLException {
        String url = jdbcUrl(sinkUrl);
        Ledger ledger =
                new Ledger(election, fenced, DriverManager.getConnection(url), DriverManager.getConnection(url));
        ledger.writes.setAutoCommit(false);
        return ledger;
    }

    private static String jdbcUrl(String sinkUrl) {
        if (sinkUrl.startsWith("sqlite:")) {
            return "jdbc:" + sinkUrl;
        }
        if (!sinkUrl.startsWith("jdbc:")) {
            throw Refusal.configuration(
                    "the demo's ledger is a table, and --sink '" + Redaction.of(sinkUrl) + "' is no SQL database");
        }
        return sinkUrl;
    }

    /** Makes the tables where they are missing. */
    void install() throws SQLException {
        try (Statement statement = attempts.createStatement()) {
            statement.execute("CREATE TABLE IF NOT EXISTS demo_ledger("
                    + "election VARCHAR(255) NOT NULL, position BIGINT NOT NULL, token BIGINT NOT NULL,"
                    + " attempt VARCHAR(255) NOT NULL, PRIMARY KEY (election, position))");
            statement.execute("CREATE TABLE IF NOT EXISTS demo_attempt("
                    + "election VARCHAR(255) NOT NULL, attempt VARCHAR(255) NOT NULL, token BIGINT NOT NULL,"
                    + " greatest BIGINT NOT NULL, PRIMARY KEY (election, attempt))");
        }
    }

    /** Notes that a write is about to be tried, and the greatest token that stands in the ledger by then. */
    void attempt(String attempt, FencingToken token) throws SQLException {
        try (PreparedStatement note =
                attempts.prepareStatement("INSERT INTO demo_attempt(election, attempt, token, greatest)"
                        + " SELECT ?, ?, ?, coalesce(max(token), 0) FROM demo_ledger WHERE election = ?")) {
            note.setString(1, election.value());
            note.setString(2, attempt);
            note.setLong(3, token.value());
            note.setString(4, election.value());
            note.executeUpdate();
        }
    }

    /** Appends in one transaction, behind the fence where there is one; tried again only while nothing is said of the token. */
    void append(String attempt, FencingToken token) throws SQLException, FenceException {
        for (int tries = 1; ; tries++) {
            try {
                appendOnce(attempt, token);
                return;
            } catch (NotAdmittedException unanswered) {
                writes.rollback();
                if (tries == MOST_TRIES) {
                    throw unanswered;
                }
            } catch (SQLException | FenceException refused) {
                writes.rollback();
                throw refused;
            }
        }
    }

    private void appendOnce(String attempt, FencingToken token) throws SQLException, FenceException {
        if (fenced) {
            JdbcFence.over(writes).admit(election, token);
        }
        try (PreparedStatement line =
                writes.prepareStatement("INSERT INTO demo_ledger(election, position, token, attempt)"
                        + " SELECT ?, coalesce(max(position), 0) + 1, ?, ? FROM demo_ledger WHERE election = ?")) {
            line.setString(1, election.value());
            line.setLong(2, token.value());
            line.setString(3, attempt);
            line.setString(4, election.value());
            line.executeUpdate();
        }
        writes.commit();
    }

    /** What the ledger says of itself. An attempt that workers say was refused counts only if the ledger knows it as late, and holds no line of it. */
    Verdict verdict(Collection<String> saidRefused) throws SQLException {
        Set<String> refused = new HashSet<>(saidRefused);
        refused.retainAll(lateAndAbsent());
        return new Verdict(
                number("SELECT count(*) FROM demo_ledger WHERE election = ?"),
                refused.size(),
                number(
                        "SELECT count(*) FROM demo_ledger AS late WHERE election = ? AND EXISTS (SELECT 1 FROM demo_ledger AS earlier"
                                + " WHERE earlier.election = late.election AND earlier.position < late.position AND earlier.token > late.token)"),
                number("SELECT count(DISTINCT token) FROM demo_ledger WHERE election = ?"));
    }

    private Set<String> lateAndAbsent() throws SQLException {
        Set<String> found = new HashSet<>();
        try (PreparedStatement query = attempts.prepareStatement(
                "SELECT attempt FROM demo_attempt AS a WHERE election = ? AND token < greatest AND NOT EXISTS"
                        + " (SELECT 1 FROM demo_ledger AS l WHERE l.election = a.election AND l.attempt = a.attempt)")) {
            query.setString(1, election.value());
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getString(1));
                }
            }
        }
        return found;
    }

    private long number(String sql) throws SQLException {
        try (PreparedStatement query = attempts.prepareStatement(sql)) {
            query.setString(1, election.value());
            try (ResultSet row = query.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Override
    public void close() throws SQLException {
        writes.close();
        attempts.close();
    }
}
