package dev.incumbent.coordinator.sql;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * What a call asks for where it may be one statement with others that wait.
 *
 * @param key whom it concerns: two that concern the same are not one statement
 */
record Share<I, T>(Joint<I, T> joint, Object key, I item) {

    /** Calls of one kind, which may be one statement. */
    interface Joint<I, T> {
        /** What came of those that the statement did, by their place; whoever is left out was not served, and is then served alone. One transaction: where it throws, none was. */
        Map<Integer, T> together(ServerSession session, List<I> items) throws SQLException;
    }
}
