package dev.incumbent.agent.http;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.server.Request;

/**
 * The connections of one socket. All those that have shown no right are of one stranger, as every user of the host may open them; others are of a token, or of a user.
 * Where one comes too many, the stranger gives up the oldest, else the holder that has most gives up the one that asked longest ago. So nobody keeps another out, however many
 * connections he holds and however slowly he sends. A stream of events, which asks but once, goes for nobody's sake: there are fewer streams than places that strangers cannot take. Thread-safe.
 */
final class Crowd implements Connection.Listener {
    private static final String STRANGER = "";
    private static final long STRANGERS_IDLE_MILLIS = 10_000;
    /** Longer than a heartbeat may wait for news. */
    static final long IDLE_MILLIS = 30_000;

    private final int most;
    private final int mostStrangers;
    private final ReentrantLock lock = new ReentrantLock();
    /** Whose each is; the one that asked longest ago comes first. */
    private final Map<Connection, Holding> holders = new LinkedHashMap<>();

    /** Whose a connection is, and whether it is a stream. */
    private record Holding(String holder, boolean isStream) {}

    /** Keeps so many, and so many of them that have shown no right. */
    Crowd(int most, int mostStrangers) {
        this.most = most;
        this.mostStrangers = mostStrangers;
    }

    /** A request showed a right: its connection is that holder's from now on. */
    static void admit(Request request, String holder) {
        Connection connection = request.getConnectionMetaData().getConnection();
        of(request).ifPresent(crowd -> crowd.belongs(connection, holder));
    }

    /** A request is answered by a stream, and its connection kept until it asks again; false where its holder has so many of them. */
    static boolean keep(Request request, int mostOfOne) {
        Connection connection = request.getConnectionMetaData().getConnection();
        return of(request).map(crowd -> crowd.keeps(connection, mostOfOne)).orElse(true);
    }

    private static Optional<Crowd> of(Request request) {
        return Optional.ofNullable(
                request.getConnectionMetaData().getConnector().getBean(Crowd.class));
    }

    @Override
    public void onOpened(Connection newest) {
        newest.getEndPoint().setIdleTimeout(STRANGERS_IDLE_MILLIS);
        locked(() -> {
                    holders.put(newest, new Holding(STRANGER, false));
                    return leaving();
                })
                .ifPresent(one -> one.getEndPoint().close());
    }

    @Override
    public void onClosed(Connection gone) {
        var unused = locked(() -> Optional.ofNullable(holders.remove(gone)));
    }

    private void belongs(Connection connection, String holder) {
        connection.getEndPoint().setIdleTimeout(IDLE_MILLIS);
        var unused = locked(() -> {
            if (holders.remove(connection) != null) {
                holders.put(connection, new Holding(holder, false));
            }
            return Optional.empty();
        });
    }

    /** One that is gone already is kept from nobody. */
    private boolean keeps(Connection connection, int mostOfOne) {
        return locked(() -> {
            Optional<String> holder =
                    Optional.ofNullable(holders.get(connection)).map(Holding::holder);
            boolean mayHaveMore =
                    holder.filter(one -> streamsOf(one) >= mostOfOne).isEmpty();
            holder.filter(one -> mayHaveMore).ifPresent(one -> holders.put(connection, new Holding(one, true)));
            return mayHaveMore;
        });
    }

    private long streamsOf(String holder) {
        return holders.values().stream()
                .filter(one -> one.isStream && one.holder.equals(holder))
                .count();
    }

    /** Who has to go, under the lock. */
    private Optional<Connection> leaving() {
        Map<String, Integer> counts = new HashMap<>();
        holders.values().stream()
                .filter(one -> !one.isStream)
                .forEach(one -> counts.merge(one.holder, 1, Integer::sum));
        int strangers = Optional.ofNullable(counts.remove(STRANGER)).orElse(0);
        if (strangers > mostStrangers) {
            return oldestOf(STRANGER);
        }
        return holders.size() > most
                ? counts.entrySet().stream()
                        .max(Map.Entry.comparingByValue())
                        .flatMap(crowded -> oldestOf(crowded.getKey()))
                : Optional.empty();
    }

    private Optional<Connection> oldestOf(String holder) {
        Optional<Connection> oldest = holders.entrySet().stream()
                .filter(one -> one.getValue().equals(new Holding(holder, false)))
                .map(Map.Entry::getKey)
                .findFirst();
        oldest.ifPresent(holders::remove);
        return oldest;
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
