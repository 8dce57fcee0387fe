package dev.incumbent.calls;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Which calls wait, how many threads there are for them, and how many of those are free. Knows no thread and no lock: its lane guards it. */
final class Backlog<C extends Call<?>> {
    private final int mostWaiting;
    private final int mostThreads;
    private final Deque<C> waiting = new ArrayDeque<>();
    private int threads;
    private int free;
    private boolean closed;

    Backlog(int mostWaiting, int mostThreads) {
        this.mostWaiting = mostWaiting;
        this.mostThreads = mostThreads;
    }

    /** What became of a call that came. */
    enum Place {
        CLOSED,
        FULL,
        WAITS,
        /** It waits, and one more thread is to be started for it: counted already. */
        WAITS_FOR_A_NEW_THREAD
    }

    /** A call comes, to be served after those that wait. */
    Place last(C call) {
        if (!closed && waiting.size() >= mostWaiting) {
            return Place.FULL;
        }
        return placed(call, false);
    }

    /** A call comes back, to be served before those that wait. */
    Place first(C call) {
        return placed(call, true);
    }

    private Place placed(C call, boolean first) {
        if (closed) {
            return Place.CLOSED;
        }
        if (first) {
            waiting.addFirst(call);
        } else {
            waiting.addLast(call);
        }
        if (waiting.size() <= free || threads >= mostThreads) {
            return Place.WAITS;
        }
        threads++;
        return Place.WAITS_FOR_A_NEW_THREAD;
    }

    /** A thread that was counted could not be started; what nobody is left to serve. */
    List<C> notStarted() {
        threads--;
        return threads == 0 ? emptied() : List.of();
    }

    /** A thread has nothing to do. */
    void frees() {
        free++;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** A free thread takes what goes together, and is free no more; nothing where all who waited are over. */
    List<C> taken(Server<C> by) {
        List<C> together = new ArrayList<>();
        while (together.isEmpty() && !waiting.isEmpty()) {
            by.take(waiting, together);
            together.removeIf(Call::isOver);
        }
        if (!together.isEmpty()) {
            free--;
        }
        return together;
    }

    /** A free thread ends. */
    void leaves() {
        free--;
        threads--;
    }

    boolean isClosed() {
        return closed;
    }

    /** Nobody comes any more; who waited. */
    List<C> closes() {
        closed = true;
        return emptied();
    }

    private List<C> emptied() {
        List<C> left = List.copyOf(waiting);
        waiting.clear();
        return left;
    }
}
