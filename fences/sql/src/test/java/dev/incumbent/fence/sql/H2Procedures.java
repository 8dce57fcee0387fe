package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** Procedures of a user's that H2 calls. */
public final class H2Procedures {
    private H2Procedures() {}

    public static int commits(Connection connection) throws SQLException {
        Leader.insert(connection, "admitted");
        Installation.execute(connection, "COMMIT");
        Leader.insert(connection, "late");
        return 1;
    }

    public static int stays(Connection connection) throws SQLException {
        Leader.insert(connection, "one");
        Leader.insert(connection, "two");
        return 1;
    }
}
