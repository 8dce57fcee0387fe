package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Set;

/** Opens nodes of ZooKeeper as sinks: {@code zk://host:port,host:port/path}, or {@code zookeeper://…}. */
public final class ZooKeeperSinkProvider implements SinkProvider {
    private static final Duration INSTALLING = Duration.ofSeconds(10);

    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperSinkProvider() {}

    @Override
    public boolean opens(String url) {
        return url.startsWith("zk://") || url.startsWith("zookeeper://");
    }

    @Override
    public Set<String> schemes() {
        return Set.of("zk://", "zookeeper://");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new ZooKeeperSink(ZooKeeperUrl.of(url, System.getenv()), bound);
    }

    @Override
    public void install(String url) {
        try (ZooKeeperSink sink = new ZooKeeperSink(ZooKeeperUrl.of(url, System.getenv()), INSTALLING)) {
            sink.install();
        }
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        throw new SinkException(
                ZooKeeperUrl.of(url, System.getenv()) + " has no tables to guard, so not " + table + " either");
    }
}
