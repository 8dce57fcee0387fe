package dev.incumbent.fence.sql;

import dev.incumbent.fence.Raise;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;

/** What is asked of a SQLite sink, as its statements. The rule itself is in the file's triggers. */
final class SqliteQuestions {
    static final MarkRows MARKS = new MarkRows("incumbent_fence", "=", StandbySign.NONE);

    private SqliteQuestions() {}

    static SinkId id(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM incumbent_sink")) {
            if (!row.next()) {
                throw new SQLException("its id is missing; install it again");
            }
            return new SinkId(row.getString(1));
        }
    }

    static Raise raise(Connection connection, ElectionName election, Mark mark) throws SQLException {
        SqliteFile.run(connection, "BEGIN IMMEDIATE");
        boolean committed = false;
        try {
            Raise raise = raiseUnderLock(connection, election, mark);
            if (raise instanceof Raise.Raised) {
                SqliteFile.run(connection, "COMMIT");
                committed = true;
            }
            return raise;
        } finally {
            if (!committed) {
                SqliteFile.rollBack(connection);
            }
        }
    }

    private static Raise raiseUnderLock(Connection connection, ElectionName election, Mark mark) throws SQLException {
        try (PreparedStatement raise =
                connection.prepareStatement("INSERT INTO incumbent_raise(election, token, owner) VALUES (?, ?, ?)")) {
            raise.setString(1, election.value());
            raise.setLong(2, mark.token().value());
            raise.setString(3, mark.owner().text());
            raise.executeUpdate();
            return new Raise.Raised(mark);
        } catch (SQLException refusal) {
            String message = String.valueOf(refusal.getMessage());
            Optional<Mark> inForce = MARKS.of(connection, Set.of(election)).of(election);
            if (message.contains("IF004") && inForce.isPresent()) {
                return new Raise.Refused(inForce.get());
            }
            if (message.contains("IF005")) {
                return new Raise.TooFar(
                        inForce.map(there -> there.token().value()).orElse(0L));
            }
            throw refusal;
        }
    }
}
