package dev.incumbent.agent.elections;

import java.util.List;
import java.util.Optional;

/**
 * What this host has to do with an election.
 *
 * @param owners the names of its owners, in line
 * @param term the agent's own term
 */
public record LocalView(List<String> owners, Optional<LocalTerm> term) {
    static final LocalView NOTHING = new LocalView(List.of(), Optional.empty());

    public LocalView {
        owners = List.copyOf(owners);
    }
}
