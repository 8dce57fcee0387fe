package dev.incumbent.fence.sql;

import dev.incumbent.fence.Raise;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/** A database that is reached over connections, as {@link ServerSink} asks it. Its connections are in autocommit; each is used by one thread at a time. */
interface Server {
    /** How people call it, without credentials. */
    String label();

    /** Connects, and ends waiting for any answer at about that time. */
    Connection connect(Duration bound) throws SQLException;

    /**
     * Refuses a server that does not get done with earlier raises: a commit may wait for a lost replica for ever, also once its client has gone, and one more session for each try would
     * take all the server's places. Fewer than {@link #UNFINISHED} may wait for a reason of their own.
     */
    default void refuseUnfinished(Connection connection, Duration bound) throws SQLException {}

    /** See {@link #refuseUnfinished}. */
    int UNFINISHED = 3;

    /** Asks for the one line in which a server tells of {@link #UNFINISHED} sessions or more. */
    static void refuseUnfinished(Connection connection, String unfinished) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(unfinished)) {
            Optional<String> sessions = words(query);
            if (sessions.isPresent()) {
                throw new SQLException(
                        "it has not done earlier raises (" + sessions.get() + "), and is sent no other", "57000");
            }
        }
    }

    /** Raises, and waits for admitted transactions for at most that long. */
    Raise raise(Connection connection, RaiseAsked asked, Duration wait) throws SQLException;

    /** Was that failure the end of a wait for others' transactions? */
    boolean isWaitOver(SQLException failure);

    /** Who keeps raises of that election waiting, in words. */
    Optional<String> blocker(Connection connection, ElectionName election) throws SQLException;

    /** What a failure means to people, in one sentence without credentials. */
    String meaning(SQLException failure);

    /**
     * The raise of one election.
     *
     * @param lease how long the leases of the raising leader are; zero where no leader raises
     */
    record RaiseAsked(ElectionName election, Mark mark, Duration lease) {
        /** As a number of milliseconds; empty where it is not known. */
        Optional<String> leaseMillis() {
            return lease.isZero() ? Optional.empty() : Optional.of(Long.toString(lease.toMillis()));
        }

        /** What the columns outcome, token and owner say. */
        Raise answer(ResultSet row) throws SQLException {
            return switch (row.getString("outcome")) {
                case "raised" -> new Raise.Raised(mark);
                case "refused" -> new Raise.Refused(asMark(row.getLong("token"), row.getString("owner")));
                default -> new Raise.TooFar(row.getLong("token"));
            };
        }
    }

    /** The id that it was born with. */
    default SinkId id(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM " + table("sink"))) {
            if (!row.next()) {
                throw new SQLException("its id is missing; install it again");
            }
            return new SinkId(row.getString(1));
        }
    }

    default MarkRows marks() {
        return new MarkRows(table("fence"), "=", standby());
    }

    /** What shows that its marks may be old. */
    default StandbySign standby() {
        return StandbySign.NONE;
    }

    /** A table of the fence's as statements name it. */
    default String table(String name) {
        return "incumbent_" + name;
    }

    private static Mark asMark(long token, String owner) {
        return new Mark(new FencingToken(token), MarkOwner.parse(owner));
    }

    /** Runs a query for one line of words. */
    static Optional<String> words(PreparedStatement query) throws SQLException {
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
        }
    }
}
