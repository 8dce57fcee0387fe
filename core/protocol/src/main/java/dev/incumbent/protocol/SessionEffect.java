package dev.incumbent.protocol;

import dev.incumbent.model.LeaseId;

/** What the one session of a process wants done, in the order given. */
public sealed interface SessionEffect {
    /** Asks for a lease; answered by Granted or GrantFailed. */
    record GrantLease() implements SessionEffect {}

    /** Keeps the lease alive, sent once; answered by KeptAlive, KeepAliveFailed or Died. */
    record KeepAlive(LeaseId lease) implements SessionEffect {}

    /** Ends the lease; not answered. */
    record RevokeLease(LeaseId lease) implements SessionEffect {}

    /** Reads the records of all elections that are not settled, and the marks of those that lead: the proof beside each keep-alive. */
    record ReadProofs() implements SessionEffect {}

    /** Every election hears this. */
    record TellElections(Event event) implements SessionEffect {}

    /** The lease really granted is too short for the timings; the session ends. {@code why} has the numbers. */
    record RefuseTiming(String why) implements SessionEffect {}

    /** The coordinator cannot be used by this process, however often it is asked; no other lease is asked for. {@code why} is a sentence. */
    record RefuseCoordinator(String why) implements SessionEffect {}
}
