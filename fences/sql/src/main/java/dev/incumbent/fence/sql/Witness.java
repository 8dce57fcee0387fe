package dev.incumbent.fence.sql;

import java.sql.Connection;
import java.sql.SQLException;

/** What sees whether a procedure ended the transaction that it was called in. */
interface Witness {
    /** Before the call, in a transaction. */
    Mark mark(Connection connection) throws SQLException;

    /** What was marked. */
    interface Mark {
        /** After the call: is it the same transaction still? */
        boolean isThere() throws SQLException;
    }
}
