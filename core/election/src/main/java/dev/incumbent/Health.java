package dev.incumbent;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.Role;
import java.util.Optional;

/**
 * How one candidacy stands.
 *
 * @param role what this process is in the election
 * @param leader whom the record names, as last told
 * @param term the record's term
 * @param leaseHeld has the session a lease
 * @param enlisted does this process stand in line, as far as it knows
 * @param stalled a task does not stop although its term is over
 * @param trouble the last thing that went wrong and has not been mended, in a sentence. <em>No lease: …</em> is a coordinator that does not answer or that
 *     refuses: a candidacy asks on, and one that is always refused never leads
 */
public record Health(
        Role role,
        Optional<Candidate> leader,
        long term,
        boolean leaseHeld,
        boolean enlisted,
        boolean stalled,
        Optional<String> trouble) {}
