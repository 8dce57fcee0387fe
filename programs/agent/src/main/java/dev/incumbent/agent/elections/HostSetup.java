package dev.incumbent.agent.elections;

import dev.incumbent.agent.owners.OwnersSetup;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.Timing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the elections of a host run over.
 *
 * @param coordinators open, and at most {@link Bounds#COORDINATORS}; the caller closes them after the elections
 * @param timing of the agent's own lease
 * @param name what people know this agent by; empty for the host's name
 * @param address where clients find the leader; empty if it tells none
 * @param rank by what its candidates claim before or after others
 * @param movesAfter after so long a term is handed over to a better rank; empty for never
 * @param sinks raised before each term; open, and closed by the caller
 * @param spreads does it tell how many elections it leads, so that of equals who leads fewer claims first?
 * @param watchdog guards the work of owners that ask for it; open, and closed by the agent
 * @param stonith how former leaders are turned off before an owner leads
 */
public record HostSetup(
        PrefixMap<Coordinator> coordinators,
        Timing timing,
        Optional<String> name,
        String address,
        CandidateRank rank,
        Optional<Duration> movesAfter,
        List<Sink> sinks,
        boolean spreads,
        Optional<HostWatchdog> watchdog,
        Optional<HostStonith> stonith) {
    public HostSetup {
        if (coordinators.all().size() > Bounds.COORDINATORS) {
            throw new IllegalArgumentException("an agent has at most " + Bounds.COORDINATORS + " coordinators, not "
                    + coordinators.all().size());
        }
        sinks = List.copyOf(sinks);
    }

    /** All elections are at one coordinator, and nothing is told of the rank. */
    public HostSetup(Coordinator coordinator, Timing timing, Optional<String> name, String address, List<Sink> sinks) {
        this(
                new PrefixMap<>(coordinator, Map.of()),
                timing,
                name,
                address,
                CandidateRank.PLAIN,
                Optional.empty(),
                sinks,
                false,
                Optional.empty(),
                Optional.empty());
    }

    /**
     * The bounds of owners. No answer is worth more than the stop budget. Once this is over, a transfer is taken back although its owner would stop a moment
     * later, and where sinks are guarded, the library vacates the record although an owner may still believe that it leads.
     */
    public OwnersSetup owners() {
        Duration most = timing.stopBudget().minus(Bounds.BEFORE_THE_STOP);
        return new OwnersSetup(
                Bounds.LEAST_TTL.toNanos(),
                timing.lease().toNanos(),
                most.toNanos(),
                timing.driftBound(),
                Bounds.OWNERS);
    }
}
