package dev.incumbent.coordinator.jdbc;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sessions open in this process, whoever opened them.
 *
 * <p>SQLite shares one log index among all connections of a process to one file, also after its name was deleted. So where one
 * session finds its files replaced, none can be opened on the new ones until all that hold the old ones are closed.
 */
final class OpenSessions {
    /** The process's, as SQLite's own table of open files is. */
    private static final Set<StoreSession> IN_THIS_PROCESS = ConcurrentHashMap.newKeySet();

    private OpenSessions() {}

    static void add(StoreSession session) {
        IN_THIS_PROCESS.add(session);
    }

    static void remove(StoreSession session) {
        IN_THIS_PROCESS.remove(session);
    }

    /**
     * Closes every session whose files bear their names no more.
     *
     * @param salvage may what a deleted log held be saved; only while nobody else can open the store
     */
    static void retireStale(boolean salvage) throws IOException {
        for (StoreSession session : IN_THIS_PROCESS) {
            if (!session.isCurrent()) {
                session.retire(salvage);
            }
        }
    }
}
