package dev.incumbent.fence.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.h2.api.Trigger;
import org.jspecify.annotations.Nullable;

/** The trigger of a guarded H2 table: refuses what a session writes that bears no token in force. Called by the database. */
public final class H2Guard implements Trigger {
    private String guarded = "";

    /** Remembers its table. */
    @Override
    public void init(Connection connection, String schema, String trigger, String table, boolean before, int type) {
        guarded = schema + "." + table;
    }

    /** Asks again for the token that was admitted, in the transaction of the write itself. */
    @Override
    public void fire(Connection connection, Object @Nullable [] before, Object @Nullable [] after) throws SQLException {
        String election = election(connection);
        String token = new H2Admissions(connection)
                .token(election)
                .orElseThrow(() -> new SQLException(
                        "not admitted: this session bears no token of " + election + " for " + guarded, "IF003"));
        H2Functions.enter(connection, election, token);
    }

    private String election(Connection connection) throws SQLException {
        try (PreparedStatement query =
                connection.prepareStatement("SELECT election FROM incumbent_guard WHERE guarded = ?")) {
            query.setString(1, guarded);
            try (ResultSet row = query.executeQuery()) {
                if (!row.next()) {
                    throw new SQLException("it is not known whose leaders may write to " + guarded, "IF003");
                }
                return row.getString(1);
            }
        }
    }
}
