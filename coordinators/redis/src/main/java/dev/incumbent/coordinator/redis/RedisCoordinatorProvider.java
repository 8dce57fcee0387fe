package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.time.Timeline;
import dev.incumbent.wire.UriException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens Redis: {@code redis://HOST:PORT/DATABASE} is one server, {@code redis+sentinel://HOST:PORT,…/MASTER} the one that sentinels name,
 * {@code redlock://HOST:PORT,HOST:PORT,HOST:PORT} a majority of several; {@code rediss}, {@code rediss+sentinel} and {@code redlocks} over TLS. All are best effort.
 * Opening connects to nothing.
 */
public final class RedisCoordinatorProvider implements CoordinatorProvider {
    /** As Redis' own client reads it, so that no password need stand in a URI. */
    static final String PASSWORD_VARIABLE = "REDISCLI_AUTH";

    /** For {@link java.util.ServiceLoader}. */
    public RedisCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Stream.of(RedisUri.SERVER, RedisUri.SENTINEL, RedisUri.REDLOCK)
                .flatMap(Set::stream)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        RedisUri uri = parsed(at);
        return uri.followed().isEmpty() && uri.servers().size() > 1
                ? new RedlockCoordinator(uri, timeline, requestTimeout, mode)
                : new RedisCoordinator(uri, timeline, requestTimeout, mode);
    }

    private static RedisUri parsed(String at) {
        try {
            return RedisUri.parse(
                    at,
                    new RedisUri.Passwords(
                            Optional.ofNullable(System.getenv(PASSWORD_VARIABLE)),
                            Optional.ofNullable(System.getenv(RedisUri.SENTINEL_PASSWORD_VARIABLE))));
        } catch (UriException e) {
            throw new CoordinatorUnusableException(
                    "the coordinator " + e.getMessage()
                            + "; write redis://HOST:PORT/DATABASE, redis+sentinel://HOST:PORT,HOST:PORT,HOST:PORT/MASTER"
                            + " or redlock://HOST:PORT,HOST:PORT,HOST:PORT",
                    e);
        }
    }
}
