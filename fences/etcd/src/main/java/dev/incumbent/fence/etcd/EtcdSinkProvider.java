package dev.incumbent.fence.etcd;

import dev.incumbent.etcd.EtcdAddress;
import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.EtcdException;
import dev.incumbent.etcd.Txn;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;

/** Opens etcd as a sink: {@code etcd://HOST:PORT[,HOST:PORT]/PREFIX}, as its coordinator is named. */
public final class EtcdSinkProvider implements SinkProvider {
    private static final Duration INSTALLING = Duration.ofSeconds(10);

    /** For {@link java.util.ServiceLoader}. */
    public EtcdSinkProvider() {}

    @Override
    public boolean opens(String url) {
        return url.startsWith(EtcdAddress.SCHEME);
    }

    @Override
    public Set<String> schemes() {
        return Set.of(EtcdAddress.SCHEME);
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new EtcdSink(client(url, bound), bound);
    }

    @Override
    public void install(String url) {
        try (EtcdClient client = client(url, INSTALLING)) {
            String id = new MarkKeys(client.address().prefix()).id();
            client.txn(new Txn().ifMissing(id).put(id, UUID.randomUUID().toString()))
                    .join();
        } catch (CompletionException failure) {
            throw EtcdSink.told(failure);
        }
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        throw new SinkException(
                "etcd has no tables to guard; a write is fenced by comparing the mark in its own transaction");
    }

    static EtcdClient client(String url, Duration bound) {
        try {
            return new EtcdClient(EtcdAddress.parse(url, System.getenv()), bound);
        } catch (EtcdException refused) {
            throw new SinkException(String.valueOf(refused.getMessage()), refused);
        }
    }
}
