package dev.incumbent.coordinator.sqlite;

import java.sql.SQLException;

/**
 * What one call does in a transaction. May run more than once, each time anew, when an earlier run was rolled back or read only; what
 * it throws of {@link dev.incumbent.coordinator.CoordinatorException} is the call's own outcome and rolls nothing back.
 */
interface Work<T> {
    T in(Tx tx) throws SQLException, NeedsWrite;
}
