package dev.incumbent.coordinator.peers;

import dev.incumbent.ElectionListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.TermListener;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What one candidacy brings.
 *
 * @param lease of the members, for which a sink may wait and after which a term has lasted
 * @param heartbeat a renewal that is late by this is missed
 * @param stopBudget the time that the task has to stop
 * @param sinks raised before the task begins
 * @param hears what a person would ask about
 * @param task runs in each term; absent where the program asks
 */
record PeerSetup(
        PeerKind kind,
        ElectionName election,
        MemberId me,
        Candidate candidate,
        Duration lease,
        Duration heartbeat,
        Duration stopBudget,
        List<Sink> sinks,
        Optional<LeaderTask> task,
        Optional<TermListener> listener,
        ElectionListener hears) {
    PeerSetup {
        sinks = List.copyOf(sinks);
    }
}
