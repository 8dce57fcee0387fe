package dev.incumbent.agent.elections;

import dev.incumbent.Stonith;
import dev.incumbent.model.ElectionName;
import java.util.Set;

/**
 * How this host has whoever may still act turned off before an owner leads.
 *
 * @param only in which elections; empty for all
 */
public record HostStonith(Stonith how, Set<Prefix> only) {
    public HostStonith {
        only = Set.copyOf(only);
    }

    /** Is that election one of those? */
    boolean covers(ElectionName election) {
        return only.isEmpty() || only.stream().anyMatch(prefix -> prefix.covers(election));
    }
}
