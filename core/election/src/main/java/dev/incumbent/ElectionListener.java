package dev.incumbent;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import java.time.Duration;

/**
 * Hears, for all elections of a process, each change that a person would ask about, as plain values; metrics and alerts stand on this, and so does the log.
 *
 * <pre>{@code
 * public synchronized void onRevoked(Term term, EndReason reason) {
 *     lost.merge(reason, 1, Integer::sum); // of Elections.connect(uri).listener(this).open()
 * }
 * }</pre>
 *
 * <p>Called in order, one call at a time, on a thread that renews and stops nothing: a listener that blocks or throws delays no term. By the time it is called the
 * state may have changed again, so it decides nothing; who leads asks the {@link Guard}.
 */
public interface ElectionListener {
    /** Hears nothing. */
    ElectionListener NONE = new ElectionListener() {};

    /** This process leads. */
    default void onGranted(Term term) {}

    /** It does not lead any more. */
    default void onRevoked(Term term, EndReason reason) {}

    /** A task or a listener of that term threw, and was not told to stop before. */
    default void onFailed(Term term, Throwable thrown) {}

    /** Something keeps this process from standing or leading, and what can be done. The same trouble is told once a minute at the most. */
    default void onTrouble(ElectionName election, String what) {}

    /** That trouble, as it was told last, is over. */
    default void onTroubleOver(ElectionName election, String what) {}

    /** The coordinator gives or keeps no lease: leaders stop when theirs has run out. Told once, until it answers again. */
    default void onUnreachable(String why) {}

    /** It answers again, that long after {@link #onUnreachable} was told. */
    default void onReachable(Duration after) {}
}
