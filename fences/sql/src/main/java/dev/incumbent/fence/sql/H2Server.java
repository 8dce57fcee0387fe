package dev.incumbent.fence.sql;

import dev.incumbent.fence.Raise;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.sql.SqlUri;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** H2 as a sink, in this JVM or a server's. */
record H2Server(SqlUri uri, boolean creates) implements Server {
    @Override
    public String label() {
        return uri.label();
    }

    @Override
    public Connection connect(Duration bound) throws SQLException {
        boolean said = uri.url().toUpperCase(java.util.Locale.ROOT).contains("IFEXISTS=");
        return new org.h2.Driver().connect(uri.url() + (creates || said ? "" : ";IFEXISTS=TRUE"), uri.with());
    }

    @Override
    public Raise raise(Connection connection, RaiseAsked asked, Duration wait) throws SQLException {
        requireDurable(connection);
        Installation.execute(connection, "SET LOCK_TIMEOUT " + Math.max(1, wait.toMillis()));
        try (PreparedStatement raise = connection.prepareStatement("CALL incumbent_raise(?, ?, ?)")) {
            raise.setString(1, asked.election().value());
            raise.setLong(2, asked.mark().token().value());
            raise.setString(3, asked.mark().owner().text());
            try (ResultSet row = raise.executeQuery()) {
                row.next();
                return answer(row.getString(1), asked.mark());
            }
        }
    }

    private static Raise answer(String told, Mark asked) {
        String[] words = told.replaceFirst("^.*?: ", "").split(" of ", 2);
        if (told.startsWith("raised")) {
            return new Raise.Raised(asked);
        }
        return told.startsWith("refused")
                ? new Raise.Refused(new Mark(new FencingToken(Long.parseLong(words[0])), MarkOwner.parse(words[1])))
                : new Raise.TooFar(Long.parseLong(words[0]));
    }

    /** H2 writes half a second late unless it is told otherwise: a mark would be acknowledged and lost. */
    private static void requireDurable(Connection connection) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT SETTING_VALUE FROM INFORMATION_SCHEMA.SETTINGS WHERE SETTING_NAME = 'WRITE_DELAY'")) {
            Optional<String> delay = Server.words(query);
            if (delay.isPresent() && !delay.get().equals("0")) {
                throw new SQLException("it writes " + delay.get()
                        + " ms late, so that a mark could be lost after it was acknowledged: SET WRITE_DELAY 0");
            }
        }
    }

    @Override
    public boolean isWaitOver(SQLException failure) {
        return failure.getErrorCode() == 50200;
    }

    @Override
    public Optional<String> blocker(Connection connection, ElectionName election) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement("SELECT 'session ' || s.SESSION_ID || ' (user '"
                + " || s.USER_NAME || ', begun ' || s.SESSION_START || ', ' || LOWER(s.SESSION_STATE) || ')'"
                + " FROM INFORMATION_SCHEMA.SESSIONS w JOIN INFORMATION_SCHEMA.SESSIONS s ON s.SESSION_ID = w.BLOCKER_ID"
                + " FETCH FIRST ROW ONLY")) {
            return Server.words(query);
        }
    }

    @Override
    public String meaning(SQLException failure) {
        String message =
                String.valueOf(failure.getMessage()).replaceAll("\\s+", " ").replaceAll(" \\[\\d+-\\d+]", "");
        return switch (failure.getErrorCode()) {
            case 42102, 42103, 42104, 90022 ->
                message.toLowerCase(java.util.Locale.ROOT).contains("incumbent_")
                        ? "it is not installed as a sink (incumbent fence install)"
                        : message;
            case 28000 -> "the database refuses the user or the password (" + message + ")";
            case 90146, 90124, 90013 -> "there is no such database";
            case 90020 -> "another process has it open: connect as it does, with AUTO_SERVER=TRUE or to its server";
            case 90096, 90040 -> "this user may not (" + message + ")";
            case 90097 -> "the database is read-only";
            case 90067 -> "it cannot be reached (" + message + ")";
            default -> message;
        };
    }
}
