package dev.incumbent.fence.consul;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Set;

/** Opens keys of Consul as sinks: {@code consul://host:port/prefix}. */
public final class ConsulSinkProvider implements SinkProvider {
    private static final Duration INSTALLING = Duration.ofSeconds(10);

    /** For {@link java.util.ServiceLoader}. */
    public ConsulSinkProvider() {}

    @Override
    public boolean opens(String url) {
        return url.startsWith("consul://");
    }

    @Override
    public Set<String> schemes() {
        return Set.of("consul://");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new ConsulSink(ConsulUrl.of(url, System.getenv()), bound);
    }

    @Override
    public void install(String url) {
        try (ConsulKeys keys = new ConsulKeys(ConsulUrl.of(url, System.getenv()), INSTALLING)) {
            keys.await(new Marks(keys).install());
        }
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        throw new SinkException(
                ConsulUrl.of(url, System.getenv()) + " has no tables to guard, so not " + table + " either");
    }
}
