package dev.incumbent.lab.world;

import java.util.List;

/**
 * What one run measured.
 *
 * @param nanos for how long
 * @param severalNanos for how long several members believed that they lead
 * @param noneNanos for how long none did
 * @param heartbeats messages that show that somebody is still there
 * @param elections messages that serve an election
 * @param begun how many leaderships began
 * @param losses what came of each fault that struck the one leader
 * @param availability the share of seconds in which a write was acknowledged
 */
public record Measured(
        long nanos,
        long severalNanos,
        long noneNanos,
        long heartbeats,
        long elections,
        long begun,
        List<LossTimes> losses,
        Writes writes,
        double availability) {
    public Measured {
        losses = List.copyOf(losses);
    }
}
