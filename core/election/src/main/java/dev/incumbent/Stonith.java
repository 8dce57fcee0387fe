package dev.incumbent;

import dev.incumbent.model.NodeBoot;
import java.time.Duration;
import java.util.Objects;

/**
 * How a process has whoever may still act turned off before its own term begins; for {@link Election#withStonith}.
 *
 * @param on where this process runs: the node's name as the fence agents of the other candidates know it, unique among all candidates; the id of this boot, and this process
 * @param bound how long the agent may take for one holder; at most what the guard holds for after a renewal, 13.0 s with a lease of 15 s
 * @param agent turns the others off
 */
public record Stonith(NodeBoot on, Duration bound, FenceAgent agent) {
    public Stonith {
        Objects.requireNonNull(agent, "agent");
        if (bound.isZero() || bound.isNegative()) {
            throw new IllegalArgumentException(
                    "a fence agent's time is above zero, this one is " + bound.toMillis() + " ms");
        }
    }
}
