package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Opens Redis: {@code redis://HOST:PORT/DATABASE} is one server, {@code redlock://HOST:PORT,HOST:PORT,HOST:PORT} a majority of several; {@code rediss} and
 * {@code redlocks} over TLS. Both are best effort. Opening connects to nothing.
 */
public final class RedisCoordinatorProvider implements CoordinatorProvider {
    /** As Redis' own client reads it, so that no password need stand in a URI. */
    static final String PASSWORD_VARIABLE = "REDISCLI_AUTH";

    /** For {@link java.util.ServiceLoader}. */
    public RedisCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of("redis", "rediss", "redlock", "redlocks");
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        RedisUri uri = RedisUri.parse(at, Optional.ofNullable(System.getenv(PASSWORD_VARIABLE)));
        return at.startsWith("redlock")
                ? new RedlockCoordinator(uri, timeline, requestTimeout, mode)
                : new RedisCoordinator(uri, timeline, requestTimeout, mode);
    }
}
