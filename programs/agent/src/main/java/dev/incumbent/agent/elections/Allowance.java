package dev.incumbent.agent.elections;

import java.util.concurrent.Semaphore;

/**
 * What the elections of one coordinator may take of the bounds of the whole agent. Whoever needs an election takes it from what is left for all. Places of
 * questions, of waiting requests and of streams are divided beforehand, since a coordinator that stands still keeps all that it has. Thread-safe.
 *
 * @param elections those that are left for all coordinators
 * @param questions under way at once, at this coordinator
 * @param waiting heartbeats, or readers, that wait for news at once, at this coordinator
 * @param streams of events at once, at this coordinator
 * @param alarms open at once, at this coordinator
 */
record Allowance(Semaphore elections, int questions, int waiting, int streams, int alarms) {
    /** What each of so many coordinators may take. */
    static Allowance among(int coordinators) {
        return new Allowance(
                new Semaphore(Bounds.ELECTIONS),
                Bounds.QUESTIONS / coordinators,
                Bounds.WAITING / coordinators,
                Bounds.STREAMS / coordinators,
                Bounds.ALARMS / coordinators);
    }
}
