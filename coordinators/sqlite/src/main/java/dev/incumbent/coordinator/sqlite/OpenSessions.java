package dev.incumbent.coordinator.sqlite;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sessions of one coordinator, its lanes' all together.
 *
 * <p>SQLite shares one log index among all connections of a process to one file, also after its name was deleted. So where one
 * session finds its files replaced, none can be opened on the new ones until all that hold the old ones are closed. (Another
 * coordinator of this process closes its own when it next uses them; until then opening fails. It is tried for a quarter of a
 * second, and again by the next call.)
 */
final class OpenSessions {
    private final Set<StoreSession> sessions = ConcurrentHashMap.newKeySet();

    StoreSession added(StoreSession session) {
        sessions.add(session);
        return session;
    }

    /**
     * Closes every session whose files bear their names no more.
     *
     * @param salvage may what a deleted log held be saved; only while nobody else can open the store
     */
    void retireStale(boolean salvage) throws IOException {
        List<StoreSession> ended = new ArrayList<>();
        for (StoreSession session : sessions) {
            if (!session.isOpen() || (!session.isCurrent() && session.retire(salvage))) {
                ended.add(session);
            }
        }
        ended.forEach(sessions::remove);
    }
}
