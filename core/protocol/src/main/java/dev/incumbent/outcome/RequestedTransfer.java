package dev.incumbent.outcome;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** How a transfer that an operator asked for ended. */
public sealed interface RequestedTransfer extends OperatorOutcome {
    /** The successor leads; the gap from vacancy to claim as it was seen from here, absent where the vacancy was too short to be seen. */
    record Transferred(long term, Candidate leader, Optional<Duration> gap) implements RequestedTransfer {}

    /** The successor led already; nothing was done. */
    record LeadsAlready(long term, Candidate leader) implements RequestedTransfer {}

    /** It cannot be; nothing was done. */
    record Refused(String why) implements RequestedTransfer {}

    /** Several candidates bear that name; nothing was done. */
    record Ambiguous(String name, List<CandidateId> ids) implements RequestedTransfer {
        public Ambiguous {
            ids = List.copyOf(ids);
        }
    }

    /** The same term goes on, and the request is cleared. */
    record TakenBack(long term, Candidate leader, String why) implements RequestedTransfer {}

    /** The term ended, but another leads than was asked for. */
    record AnotherLeads(long term, Candidate leader) implements RequestedTransfer {}

    /** The term ended, and nobody led when the time was up. */
    record NobodyLeads(long term, String why) implements RequestedTransfer {}
}
