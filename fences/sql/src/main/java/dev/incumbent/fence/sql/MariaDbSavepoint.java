package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** A savepoint, which every end of a transaction takes away, a commit by the server itself too. */
final class MariaDbSavepoint implements Witness.Mark {
    /** ER_SP_DOES_NOT_EXIST. */
    private static final int ABSENT = 1305;

    private final Connection connection;

    MariaDbSavepoint(Connection connection) throws SQLException {
        this.connection = connection;
        Installation.execute(connection, "SAVEPOINT incumbent_call");
    }

    @Override
    public boolean isThere() throws SQLException {
        try {
            Installation.execute(connection, "RELEASE SAVEPOINT incumbent_call");
            return true;
        } catch (SQLException failure) {
            if (failure.getErrorCode() == ABSENT) {
                return false;
            }
            throw failure;
        }
    }
}
