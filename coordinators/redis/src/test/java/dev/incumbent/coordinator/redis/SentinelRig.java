package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.servers.RedisSentinel;
import dev.incumbent.servers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** One server, of which a sentinel knows as many masters as there are clients: each is the wire of one client to the server. */
final class SentinelRig extends RedisRig {
    private static final String NEVER_DOWN_MILLIS =
            Long.toString(Duration.ofHours(1).toMillis());

    private final RedisSentinel sentinel = SharedServers.sentinel();
    private final List<String> masters = new CopyOnWriteArrayList<>();

    SentinelRig(Duration requestTimeout) {
        super(SharedServers.one(), requestTimeout);
    }

    /** Its leases' connection is there, too. */
    @Override
    public Coordinator connect() {
        Coordinator client = super.connect();
        LeaseId never = new LeaseId("never-granted");
        while (!client.keepAlive(never)
                .handle((kept, failure) -> Chunks.known(failure) instanceof LeaseLostException)
                .toCompletableFuture()
                .join()) {
            passTime(Duration.ofMillis(20));
        }
        return client;
    }

    @Override
    String uri(List<TcpProxy> wires, String prefix) {
        String name = "client-" + UUID.randomUUID();
        masters.add(name);
        String port = Integer.toString(wires.get(0).port());
        sentinel.ask("SENTINEL", "MONITOR", name, "127.0.0.1", port, "1");
        sentinel.ask("SENTINEL", "SET", name, "down-after-milliseconds", NEVER_DOWN_MILLIS);
        return "redis+sentinel://127.0.0.1:" + sentinel.port() + "/" + name + "?prefix=" + prefix;
    }

    @Override
    public void close() {
        super.close();
        masters.forEach(name -> sentinel.ask("SENTINEL", "REMOVE", name));
    }
}
