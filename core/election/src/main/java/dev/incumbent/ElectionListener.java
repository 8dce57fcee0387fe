package dev.incumbent;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import java.time.Duration;

/**
 * Is told, for all elections of a process, each change that a person would ask about. The library's log is such a listener; metrics and alerts may be others.
 *
 * <pre>{@code
 * public synchronized void onRevoked(Term term, EndReason reason) {
 *     lost.merge(reason, 1, Integer::sum); // of Elections.connect(uri).listener(this).open()
 * }
 * }</pre>
 *
 * <p>Called in order, one call at a time, on a thread that neither renews leases nor stops tasks: a listener that blocks or throws delays no term. When a call
 * arrives, the state may have changed again. So do not decide by these calls who may act; ask the {@link Guard}.
 */
public interface ElectionListener {
    /** Does nothing. */
    ElectionListener NONE = new ElectionListener() {};

    /** This process leads. */
    default void onGranted(Term term) {}

    /** This process no longer leads. */
    default void onRevoked(Term term, EndReason reason) {}

    /** A task or a listener of that term threw an exception before it was told to stop. */
    default void onFailed(Term term, Throwable thrown) {}

    /** Something prevents this process from standing or leading; the text also says what can be done. The same trouble is reported at most once a minute. */
    default void onTrouble(ElectionName election, String what) {}

    /** The trouble that {@link #onTrouble} reported last is over; the text is the same. */
    default void onTroubleOver(ElectionName election, String what) {}

    /** The coordinator grants or renews no lease: leaders stop when their leases run out. Reported once, until the coordinator answers again. */
    default void onUnreachable(String why) {}

    /** The coordinator answers again, that long after {@link #onUnreachable}. */
    default void onReachable(Duration after) {}
}
