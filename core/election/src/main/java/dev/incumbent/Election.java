package dev.incumbent;

import dev.incumbent.fence.Sink;

/** One election, as this process may stand in it or observe it. */
public interface Election {
    /** Guards these sinks besides: every one is raised before a task begins. The caller closes them, after the candidacy. */
    Election guarding(Sink... sinks);

    /** Stands, from now until the candidacy is closed; the task runs anew in each term. One candidacy an election and process. */
    Candidacy campaign(LeaderTask task);

    /**
     * The same, and hears when its terms begin and end. A beginning is told beside the task, which does not wait for it; an end once the guard says no: the
     * task may be on its way to return then. What the listener throws is told, and changes nothing: the task decides how a term ends.
     */
    Candidacy campaign(LeaderTask task, TermListener listener);

    /**
     * Stands as well, without a task and so without a thread: whoever acts asks {@link Candidacy#leadership()} before each act, from any thread.
     *
     * <pre>{@code
     * Optional<Leadership> leading = candidacy.leadership();
     * if (leading.isPresent()) {
     *     ledger.append(line, leading.get().token());
     * }
     * }</pre>
     *
     * <p>Nothing can be waited for, so a term that ends is vacated at once, after its guard has come to say no to every thread. An act that was begun before
     * and ends after may meet the next leader's: what must not, belongs behind a fence, or into a {@link LeaderTask}, which is waited for. Who
     * cannot do the work says so by {@link Candidacy#setHealthy}.
     */
    Candidacy campaign();

    /** Stands without a task, and hears when its terms begin and end. */
    Candidacy campaign(TermListener listener);

    /**
     * Hears who leads, and each change of it, whether this process stands or not; clients find the leader by the address that it told, see {@link
     * Elections.Builder#address}. A coordinator that does not answer is asked again until it does.
     *
     * <pre>{@code
     * observation = election.observe(change ->
     *         leader = change.leader().map(Candidate::address).orElse("nobody"));
     * }</pre>
     */
    Observation observe(LeaderListener listener);
}
