package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** The number of the transaction under way: each has its own, since its admission, which writes. */
final class H2TransactionId implements Witness.Mark {
    private final H2Admissions session;
    private final String before;

    H2TransactionId(Connection connection) throws SQLException {
        session = new H2Admissions(connection);
        before = session.transaction();
    }

    @Override
    public boolean isThere() throws SQLException {
        return session.transaction().equals(before);
    }
}
