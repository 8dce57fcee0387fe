package dev.incumbent.fence.zookeeper;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.wire.UriException;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.time.Duration;
import java.util.Set;

/** Opens nodes of ZooKeeper as sinks: {@code zk://host:port,host:port/path}, or {@code zookeeper://…}. */
public final class ZooKeeperSinkProvider implements SinkProvider {
    private static final Duration INSTALLING = Duration.ofSeconds(10);

    /** For {@link java.util.ServiceLoader}. */
    public ZooKeeperSinkProvider() {}

    @Override
    public boolean opens(String url) {
        return schemes().stream().anyMatch(url::startsWith);
    }

    @Override
    public Set<String> schemes() {
        return Set.of("zk://", "zookeeper://");
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new ZooKeeperSink(parsed(url), bound);
    }

    @Override
    public void install(String url) {
        try (ZooKeeperSink sink = new ZooKeeperSink(parsed(url), INSTALLING)) {
            sink.install();
        }
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        throw new SinkException(parsed(url) + " has no tables to guard, so not " + table + " either");
    }

    private static ZooKeeperUri parsed(String url) {
        try {
            return ZooKeeperUri.parse(url, System.getenv());
        } catch (UriException e) {
            throw new SinkException("the sink " + e.getMessage() + "; " + ZooKeeperUri.FORM, e);
        }
    }
}
