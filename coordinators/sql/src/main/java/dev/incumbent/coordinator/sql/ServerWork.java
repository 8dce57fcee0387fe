package dev.incumbent.coordinator.sql;

import java.sql.SQLException;

/** What one call does with a session; what it throws of {@link dev.incumbent.coordinator.CoordinatorException} is the call's own outcome. */
interface ServerWork<T> {
    T in(ServerSession session) throws SQLException;
}
