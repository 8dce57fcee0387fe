package dev.incumbent.agent.http;

import dev.incumbent.agent.elections.Prefix;
import dev.incumbent.model.ElectionName;
import java.util.Optional;

/**
 * What somebody may do.
 *
 * @param prefix of which elections; empty for all
 * @param right the greatest one; whoever has it has the smaller ones, too
 */
record Grant(Optional<Prefix> prefix, Right right) {
    /** For the agent's own user and root. */
    static final Grant EVERYTHING = new Grant(Optional.empty(), Right.OPERATE);

    boolean allows(ElectionName election, Right needed) {
        return prefix.filter(some -> !some.covers(election)).isEmpty() && right.compareTo(needed) >= 0;
    }

    boolean coversAll() {
        return prefix.isEmpty();
    }
}
