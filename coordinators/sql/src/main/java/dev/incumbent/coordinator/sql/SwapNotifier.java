package dev.incumbent.coordinator.sql;

import dev.incumbent.model.ElectionName;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Tells those who listen which records were swapped. A notification is a transaction of its own, after the swap's: the server may refuse it, or let it wait for the commit of a stranger, and
 * the swap is answered all the same. Who misses it hears of the swap by its next query. Thread-safe; only {@link #finish} waits.
 */
final class SwapNotifier {
    private static final Logger LOG = System.getLogger("dev.incumbent.coordinator.sql");

    /** By then whoever misses a notification has asked by itself. */
    private static final long LONGEST_FINISH_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final ServerStore store;
    private final ServerLanes calls;
    private final String notification;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition told = lock.newCondition();
    private final Set<ElectionName> untold = new HashSet<>();
    private final AtomicBoolean refused = new AtomicBoolean();
    private boolean isTelling;

    /** @param notification see {@link Dialect#notification()} */
    SwapNotifier(ServerStore store, ServerLanes calls, String notification) {
        this.store = store;
        this.calls = calls;
        this.notification = notification;
    }

    /** That election's record was swapped. */
    void swapped(ElectionName election) {
        lock.lock();
        try {
            untold.add(election);
        } finally {
            lock.unlock();
        }
        tellNext();
    }

    /** Lets what was swapped last be told, if that does not take long: who resigns closes right after its last swap. */
    void finish() {
        lock.lock();
        try {
            long left = LONGEST_FINISH_NANOS;
            while (isTelling && left > 0) {
                left = told.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    private void tellNext() {
        Set<ElectionName> names = taken();
        if (!names.isEmpty()) {
            CompletableFuture<Boolean> unused =
                    calls.read(session -> tell(session, names)).whenComplete((done, failure) -> ended());
        }
    }

    /** Those to be told now; none while others are told. */
    private Set<ElectionName> taken() {
        lock.lock();
        try {
            if (isTelling) {
                return Set.of();
            }
            Set<ElectionName> names = Set.copyOf(untold);
            untold.clear();
            isTelling = !names.isEmpty();
            return names;
        } finally {
            lock.unlock();
        }
    }

    /** False where the server refuses it. That it does not answer is told by other calls. */
    private boolean tell(ServerSession session, Set<ElectionName> names) throws SQLException {
        try {
            session.sql().query(notification, row -> true, store.dialect().namesArgument(session.connection(), names));
            if (refused.getAndSet(false)) {
                LOG.log(Level.INFO, "the coordinator " + store.label() + " notifies of swaps again");
            }
            return true;
        } catch (SQLException e) {
            if (store.dialect().meaning(e).endsSession()) {
                throw e;
            }
            if (!refused.getAndSet(true)) {
                LOG.log(Level.WARNING, refusal(e));
            }
            return false;
        }
    }

    private String refusal(SQLException why) {
        return "the coordinator " + store.label() + " notifies nobody of swaps (" + why.getMessage()
                + "); they stand, and other processes hear of them up to a quarter of a second later";
    }

    private void ended() {
        lock.lock();
        try {
            isTelling = false;
            told.signalAll();
        } finally {
            lock.unlock();
        }
        tellNext();
    }
}
