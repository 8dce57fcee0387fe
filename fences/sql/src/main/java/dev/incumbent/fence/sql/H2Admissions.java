package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;

/** What an H2 session was admitted for, in its variable {@code @incumbent_admitted}, as {@code ;billing=7#TRANSACTION;}. */
record H2Admissions(Connection connection) {
    /** Was it admitted in the very transaction that is under way? It may have given its lock back since. */
    boolean inThisTransaction(String election, String token) throws SQLException {
        String admitted = ";" + election + "=" + token + "#";
        try (PreparedStatement query = connection.prepareStatement(
                "SELECT LOCATE(? || TRANSACTION_ID() || ';', CAST(@incumbent_admitted AS VARCHAR)) > 0")) {
            query.setString(1, admitted);
            try (ResultSet row = query.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        }
    }

    /** The token that this session was last admitted with for an election. */
    Optional<String> token(String election) throws SQLException {
        String noted = noted();
        int at = noted.indexOf(";" + election + "=");
        return at < 0
                ? Optional.empty()
                : Optional.of(noted.substring(at + election.length() + 2).replaceAll("[#;].*", ""));
    }

    /** In place of what it was admitted for before. */
    void note(String election, String token) throws SQLException {
        String others = noted().replaceAll(";" + java.util.regex.Pattern.quote(election) + "=[^;]*(?=;)", "");
        try (PreparedStatement set = connection.prepareStatement("SET @incumbent_admitted = ?")) {
            set.setString(1, (others.isEmpty() ? ";" : others) + election + "=" + token + "#" + transaction() + ";");
            set.execute();
        }
    }

    private String noted() throws SQLException {
        return value("SELECT COALESCE(CAST(@incumbent_admitted AS VARCHAR), ';')");
    }

    /** The number of the transaction under way; {@code none} before it has written. */
    String transaction() throws SQLException {
        return value("SELECT COALESCE(TRANSACTION_ID(), 'none')");
    }

    private String value(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
