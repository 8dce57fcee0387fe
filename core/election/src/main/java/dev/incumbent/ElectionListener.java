package dev.incumbent;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
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
 * <p>Called in order, one call at a time, on a thread that neither renews leases nor stops tasks: a listener that blocks or throws delays no term, but a
 * listener that blocks delays the next calls. When a call arrives, the state may have changed again. So do not decide by these calls who may act; ask the {@link
 * Guard}.
 */
public interface ElectionListener {
    /** Does nothing. */
    ElectionListener NONE = new ElectionListener() {};

    /** This process stands in that election from now on, until {@link #onLeft}. */
    default void onStanding(ElectionName election) {}

    /** This process has left that election: it neither leads nor stands there. */
    default void onLeft(ElectionName election) {}

    /** This process leads. */
    default void onGranted(Term term) {}

    /** This process no longer leads. */
    default void onRevoked(Term term, EndReason reason) {}

    /** The last renewal of this term failed: the term still holds, but ends with its lease, unless {@link #onSafe} is told before. */
    default void onJeopardy(Term term) {}

    /** A renewal of that term has succeeded again. Not told of a term that ends in jeopardy. */
    default void onSafe(Term term) {}

    /** This process leads on in that term: a transfer to that candidate (its id or its name), which was asked for or planned, was given up for the reason given. */
    default void onTransferDeclined(Term term, String successor, String why) {}

    /** The task or the {@link TermListener} of that term threw an exception, and the task had not been told to stop. */
    default void onFailed(Term term, Throwable thrown) {}

    /** Something prevents this process from standing or leading; the text also says what can be done. The same trouble is reported at most once a minute. */
    default void onTrouble(ElectionName election, String what) {}

    /** The trouble that {@link #onTrouble} reported last is over; the text is the one of that report. */
    default void onTroubleOver(ElectionName election, String what) {}

    /**
     * This process gave up that term for the mark of a sink, one above it or of its number and of another owner, while the record named no other leader. The coordinator was restored to an older
     * copy, or two coordinators share the sink. The next claim is above the mark.
     */
    default void onMarkMet(ElectionName election, long term, SinkId sink, Mark met) {}

    /**
     * The coordinator grants or renews no lease, so leaders stop before their leases end: it does not answer, or it refuses, for example for a lack of rights. Called once,
     * until the coordinator gives leases again. Candidates ask it until then, also one that refuses: whoever mends a setting restarts no program.
     */
    default void onUnreachable(String why) {}

    /** The coordinator answers again, that long after {@link #onUnreachable}. */
    default void onReachable(Duration after) {}

    /** A process that leads is heard: if it is missed, {@link #onSuspected} tells so. Only with {@link Elections.Builder#beats}. */
    default void onHeard(CandidateId leader) {}

    /** A process that leads is not heard any more, for the reason given. Where its elections guard sinks, it is preempted. */
    default void onSuspected(CandidateId leader, String why) {}

    /** A process was suspected by mistake. From now on a silence must last so many times as long as usual until it counts. */
    default void onMistaken(CandidateId leader, int patience) {}
}
