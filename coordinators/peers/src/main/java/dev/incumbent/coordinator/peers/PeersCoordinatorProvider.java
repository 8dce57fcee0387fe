package dev.incumbent.coordinator.peers;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Opens a group for those who are no members of it: they read who leads, and ask the leader to hand over. A member campaigns by {@link PeerElections}. Connects with each call.
 */
public final class PeersCoordinatorProvider implements CoordinatorProvider {
    @Override
    public Set<String> schemes() {
        return Arrays.stream(PeerKind.values()).map(PeerKind::scheme).collect(Collectors.toSet());
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        return new PeersCoordinator(PeersUri.of(at), timeline, requestTimeout);
    }
}
