package dev.incumbent.fence.sql;

import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.Raise;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.h2.engine.SessionLocal;
import org.h2.jdbc.JdbcConnection;
import org.jspecify.annotations.Nullable;

/**
 * What an H2 database calls as {@code incumbent_admit} and {@code incumbent_raise}; not for Java callers.
 *
 * <p>An admission locks the slot of its session, so that sessions run side by side, up to {@link #SLOTS}; a raise locks them all. Whoever comes while a raise
 * waits queues behind it, at the {@link H2Turnstile}: H2's own row locks go to whoever asks at the right moment.
 */
public final class H2Functions {
    static final int SLOTS = 16;

    private H2Functions() {}

    /**
     * {@code CALL incumbent_admit('billing', 7)}, first in a transaction. Fails with IF001 or IF002. Whether the session is in autocommit it cannot tell: H2 turns
     * that off while it calls a function.
     */
    public static void admit(Connection connection, @Nullable String election, @Nullable String token)
            throws SQLException {
        enter(connection, String.valueOf(election), String.valueOf(token));
    }

    /**
     * Passes if the token equals the mark, which stays until the transaction's end. One that was admitted before does not queue again, for the raise at the
     * turnstile may wait for it; but its lock is asked for again, since a rollback to a savepoint, or of one statement, gives it back.
     */
    static void enter(Connection connection, String election, String token) throws SQLException {
        var admitted = new H2Admissions(connection);
        boolean again = admitted.inThisTransaction(election, token);
        if (!again) {
            H2Turnstile turnstile = H2Turnstile.of(connection, election);
            turnstile.pass(connection);
        }
        decide(connection, election, token, mark(connection, election));
        if (!again) {
            admitted.note(election, token);
        }
    }

    /** The slot of this session, locked, says which token is in force. */
    private static long mark(Connection connection, String election) throws SQLException {
        try (PreparedStatement slot = connection.prepareStatement(
                "SELECT token FROM incumbent_slot WHERE election = ? AND slot = MOD(SESSION_ID(), " + SLOTS
                        + ") FOR UPDATE")) {
            slot.setString(1, election);
            try (ResultSet row = slot.executeQuery()) {
                return row.next() ? row.getLong(1) : 0;
            }
        }
    }

    private static void decide(Connection connection, String election, String token, long mark) throws SQLException {
        String inForce = mark == 0
                ? "absent"
                : inForce(connection, election).map(Mark::toString).orElse(Long.toString(mark));
        boolean isNumber = token.matches("[0-9]{1,18}");
        if (!isNumber || mark == 0 || Long.parseLong(token) > mark) {
            throw new SQLException(
                    "token " + token + " of " + election + " was not raised here: the mark is " + inForce, "IF002");
        }
        if (Long.parseLong(token) < mark) {
            throw new SQLException("stale token " + token + " of " + election + ": the mark is " + inForce, "IF001");
        }
    }

    /** {@code CALL incumbent_raise('billing', 8, 'operator:me')}: answers {@code raised}, {@code refused} or {@code too far}, a colon, and the mark in force. */
    public static String raise(
            Connection connection, @Nullable String election, @Nullable Long token, @Nullable String owner)
            throws SQLException {
        ElectionName name;
        Mark asked;
        try {
            name = new ElectionName(String.valueOf(election));
            asked = new Mark(new FencingToken(token == null ? 0 : token), MarkOwner.parse(String.valueOf(owner)));
        } catch (IllegalArgumentException unreadable) {
            throw new SQLException("unreadable raise: " + unreadable.getMessage(), "IF006", unreadable);
        }
        writeAtOnce(connection);
        H2Turnstile.Closed closed = H2Turnstile.of(connection, name.value()).close(connection);
        try {
            return raise(connection, name, asked);
        } finally {
            closed.close();
        }
    }

    /** H2 2.3 remembers {@code WRITE_DELAY 0} when a database is opened again, and yet writes late until it is set once more. */
    private static void writeAtOnce(Connection connection) throws SQLException {
        if (connection.unwrap(JdbcConnection.class).getSession() instanceof SessionLocal session) {
            session.getDatabase().setWriteDelay(0);
        }
    }

    private static String raise(Connection connection, ElectionName election, Mark asked) throws SQLException {
        lockSlots(connection, election);
        Optional<Mark> inForce = inForce(connection, election.value());
        Raise raise = inForce.map(MarkRule::at).orElseGet(MarkRule::unmarked).raise(asked);
        if (raise instanceof Raise.Refused) {
            return "refused: " + inForce.orElseThrow();
        }
        if (raise instanceof Raise.TooFar far) {
            return "too far: " + far.from();
        }
        if (!inForce.equals(Optional.of(asked))) {
            put(connection, election.value(), asked);
        }
        return "raised: " + asked;
    }

    /** Makes them where there are none. */
    private static void lockSlots(Connection connection, ElectionName election) throws SQLException {
        try (PreparedStatement lock =
                connection.prepareStatement("SELECT slot FROM incumbent_slot WHERE election = ? FOR UPDATE")) {
            lock.setString(1, election.value());
            lock.executeQuery().close();
        }
    }

    private static Optional<Mark> inForce(Connection connection, String election) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT token, owner FROM incumbent_fence WHERE election = ?")) {
            query.setString(1, election);
            try (ResultSet row = query.executeQuery()) {
                return row.next()
                        ? Optional.of(new Mark(new FencingToken(row.getLong(1)), MarkOwner.parse(row.getString(2))))
                        : Optional.empty();
            }
        }
    }

    private static void put(Connection connection, String election, Mark mark) throws SQLException {
        try (PreparedStatement put = connection.prepareStatement(
                        "MERGE INTO incumbent_fence(election, token, owner, raised_at) VALUES (?, ?, ?, CURRENT_TIMESTAMP)");
                PreparedStatement slots = connection.prepareStatement(
                        "MERGE INTO incumbent_slot(election, slot, token) SELECT ?, x, ? FROM SYSTEM_RANGE(0, "
                                + (SLOTS - 1) + ")")) {
            put.setString(1, election);
            put.setLong(2, mark.token().value());
            put.setString(3, mark.owner().text());
            put.executeUpdate();
            slots.setString(1, election);
            slots.setLong(2, mark.token().value());
            slots.executeUpdate();
        }
    }
}
