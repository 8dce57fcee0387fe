package dev.incumbent;

import dev.incumbent.fence.Sink;

/** One election. A process may stand in it, which makes it a candidate, or observe who leads. Thread-safe. */
public interface Election {
    /**
     * The same election, with these sinks added. A candidacy that is begun on the result raises every one of them in each term before its task begins. The
     * caller closes the sinks after the candidacy.
     */
    Election guarding(Sink... sinks);

    /**
     * The same election, where whoever may still act in an earlier term is turned off before a new term begins, in addition to what its sinks refuse. From the first claim of such a candidacy on,
     * the election requires this of every candidate, for good: a process without it does not stand there. A candidacy that is begun on the result needs a task; nobody is preempted there.
     */
    Election withStonith(Stonith how);

    /**
     * Makes this process a candidate until the candidacy is closed. The task runs once in each term that this process leads. A process has at most one
     * candidacy in each election.
     */
    Candidacy campaign(LeaderTask task);

    /**
     * Makes this process a candidate with a task and a listener for the beginning and the end of each term. The task does not wait for the listener. The
     * listener is told of an end as soon as the guard says no; the task may still run then. An exception of the listener is reported and changes nothing: the
     * task decides how a term ends.
     */
    Candidacy campaign(LeaderTask task, TermListener listener);

    /**
     * Makes this process a candidate without a task, and so without a thread. The program asks {@link Candidacy#leadership()} before each action, from any
     * thread.
     *
     * <pre>{@code
     * Optional<Leadership> leading = candidacy.leadership();
     * if (leading.isPresent()) {
     *     ledger.append(line, leading.get().token());
     * }
     * }</pre>
     *
     * <p>The library cannot wait for such actions. When a term ends, first the guard says no to every thread, and then the record is vacated at once. An action
     * that is still running may overlap with the next leader's. If it must not, put it behind a fence or into a {@link LeaderTask}, for which the library
     * waits. If this process cannot do the work, call {@link Candidacy#setHealthy}.
     */
    Candidacy campaign();

    /** Makes this process a candidate without a task, with a listener for the beginning and the end of each term. */
    Candidacy campaign(TermListener listener);

    /**
     * Tells the listener who leads, and each change of leader. This process need not be a candidate. A client finds the leader by the address that the leader
     * gave to {@link Elections.Builder#address}. If the coordinator does not answer, it is asked again until it does.
     *
     * <pre>{@code
     * observation = election.observe(change ->
     *         leader = change.leader().map(Candidate::address).orElse("nobody"));
     * }</pre>
     */
    Observation observe(LeaderListener listener);
}
