package dev.incumbent.fence.redis;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.wire.HostAddresses;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Opens Redis servers as sinks: {@code redis://HOST:PORT/DATABASE}, over TLS {@code rediss://}. Opening connects to nothing. */
public final class RedisSinkProvider implements SinkProvider {
    private static final Duration INSTALL_BOUND = Duration.ofSeconds(10);

    /** For {@link java.util.ServiceLoader}. */
    public RedisSinkProvider() {}

    @Override
    public boolean opens(String url) {
        return RedisUrl.isOne(url);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("redis", "rediss");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new RedisSink(parsed(url), bound);
    }

    /** Gives it an id, unless it has one. */
    @Override
    public void install(String url) {
        RedisUrl parsed = parsed(url);
        try (RedisLine line =
                RedisLine.open(parsed, new HostAddresses(parsed.server().host()), INSTALL_BOUND)) {
            Object id = line.run(
                    RedisScript.INSTALL,
                    List.of(parsed.id()),
                    List.of(UUID.randomUUID().toString()));
            if (!(id instanceof byte[] bytes) || new String(bytes, StandardCharsets.UTF_8).isEmpty()) {
                throw new SinkException(parsed + " kept no id: " + id);
            }
        } catch (RedisFailure failure) {
            throw new SinkException(failure.sentence(), failure);
        }
    }

    /** Redis has no tables, and nothing in it can refuse a writer that does not ask. */
    @Override
    public void guard(String url, String table, ElectionName election) {
        throw new SinkException(parsed(url) + " has no tables to guard, so not " + table
                + " either: Redis cannot refuse a writer that does not ask the fence (docs/sinks/redis.md)");
    }

    static RedisUrl parsed(String url) {
        return RedisUrl.parse(url, Optional.ofNullable(System.getenv("REDISCLI_AUTH")));
    }
}
