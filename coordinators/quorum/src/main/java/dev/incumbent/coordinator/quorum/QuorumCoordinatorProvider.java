package dev.incumbent.coordinator.quorum;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Opens coordinators on the quorum servers: {@code quorum://h1:7400,h2:7400,h3:7400?token-file=PATH&tls-ca=PATH}. Connects with the first call, so
 * opening waits for nobody.
 */
public final class QuorumCoordinatorProvider implements CoordinatorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public QuorumCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("quorum");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        QuorumUri uri = QuorumUri.of(at, name -> Optional.ofNullable(System.getenv(name)));
        return new QuorumCoordinator(uri, timeline, requestTimeout, mode);
    }
}
