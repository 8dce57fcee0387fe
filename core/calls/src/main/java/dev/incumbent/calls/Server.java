package dev.incumbent.calls;

import java.util.Deque;
import java.util.List;

/**
 * Serves the calls of a lane, on one of its threads: usually it owns a connection.
 *
 * <p>{@link #abandoned} and {@link #aborted} come on any thread, while {@link #serve} may be under way, and under the lane's lock: they do not block, call
 * nobody back, and complete nothing. All else belongs to the thread.
 */
public interface Server<C> {
    /**
     * Takes from the head of those that wait the calls that go together, at least one. Under the lane's lock: does not block. A call that is over goes no further.
     */
    default void take(Deque<C> waiting, List<C> together) {
        together.add(waiting.removeFirst());
    }

    /**
     * Brings each of these calls to its end, or hands it back to the lane. May block until the last of them has run out of time. If it throws, the calls that are
     * not over fail, and so the connection should be ended before.
     *
     * @return what is to be told once the thread is free for the next call: so whoever hears an answer and calls again finds it so
     */
    Runnable serve(List<C> together);

    /** The time of all calls that are being served has run out: nobody waits for them any more. */
    default void abandoned() {}

    /** The lane closes, and the calls that were being served have failed. */
    default void aborted() {}

    /** The thread ends: nothing is served after this. */
    default void leave() {}
}
