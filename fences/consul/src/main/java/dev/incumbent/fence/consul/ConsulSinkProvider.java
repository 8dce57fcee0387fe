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
        return new ConsulSink(url, bound);
    }

    @Override
    public void install(String url) {
        try (ConsulKeys keys = ConsulKeys.at(url, INSTALLING)) {
            keys.await(new Marks(keys).install());
        }
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        try (ConsulKeys keys = ConsulKeys.at(url, INSTALLING)) {
            throw new SinkException(keys.label() + " has no tables to guard, so not " + table + " either");
        }
    }
}
