package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.h2.tools.TriggerAdapter;
import org.jspecify.annotations.Nullable;

/** The trigger of a guarded H2 table: refuses what a session writes that bears no token in force. Called by the database. */
public final class H2Guard extends TriggerAdapter {
    /** Asks again for the token that was admitted, in the transaction of the write itself. */
    @Override
    public void fire(Connection connection, @Nullable ResultSet before, @Nullable ResultSet after) throws SQLException {
        String guarded = schemaName + "." + tableName;
        String election = election(connection, guarded);
        String token = new H2Admissions(connection)
                .token(election)
                .orElseThrow(() -> new SQLException(
                        "not admitted: this session bears no token of " + election + " for " + guarded, "IF003"));
        H2Functions.enter(connection, election, token);
    }

    private static String election(Connection connection, String guarded) throws SQLException {
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
