package dev.incumbent.examples;

import dev.incumbent.Election;
import dev.incumbent.Observation;
import dev.incumbent.model.Candidate;

/** Knows where the leader is found, and stands nowhere itself. Any thread asks it. */
public final class LedgerClient implements AutoCloseable {
    private final Observation observation;
    private volatile String leader = "nobody";

    /** Follows the leader of that election until it is closed. */
    public LedgerClient(Election election) {
        observation = election.observe(
                change -> leader = change.leader().map(Candidate::address).orElse("nobody"));
    }

    /** The address of who leads, as of the last change that was heard. */
    public String leader() {
        return leader;
    }

    @Override
    public void close() {
        observation.close();
    }
}
