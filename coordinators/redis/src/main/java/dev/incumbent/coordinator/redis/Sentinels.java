package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.redis.FollowedMaster;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.time.Timeline;
import dev.incumbent.wire.HostAddresses;
import dev.incumbent.wire.StoreUri.HostAndPort;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import redis.clients.jedis.Protocol.Command;

/**
 * A master that moves: it is where a majority of the sentinels in the URI say. They are asked before each connection, and once a second besides, so that a connection
 * to an old master ends as soon as they name another. A sentinel that is cut off with an old master, or lies, is outvoted; whether the server is a master is for whoever
 * connects to see.
 */
final class Sentinels implements Place {
    private static final Duration EVERY = Duration.ofSeconds(1);

    private final FollowedMaster master;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Masters sentinels;
    private final Map<String, HostAddresses> hosts = new ConcurrentHashMap<>();
    private final List<Consumer<ServerAddress>> hearers = new CopyOnWriteArrayList<>();

    /** Guarded by this, as all below. */
    private Optional<Timeline.Alarm> next = Optional.empty();

    private boolean follows;
    private boolean closed;

    /** Connects to nothing yet. The URI names a master to follow. */
    Sentinels(RedisUri uri, Timeline timeline, Duration requestTimeout) {
        this.master = uri.followed().orElseThrow();
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.sentinels = new Masters("sentinel", uri.servers(), Role.SENTINEL, timeline, requestTimeout);
    }

    @Override
    public ServerAddress find() {
        synchronized (this) {
            if (!follows) {
                follows = true;
                follow();
            }
        }
        try {
            return named().join();
        } catch (CompletionException e) {
            CoordinatorException why = Chunks.known(e);
            String what = "where " + this + " is, is not known: " + why.getMessage();
            throw why instanceof CoordinatorUnusableException
                    ? new CoordinatorUnusableException(what, why)
                    : new CoordinatorException(what, false, why);
        }
    }

    /** Few hosts are ever a master. */
    @Override
    public HostAddresses addresses(ServerAddress found) {
        return hosts.computeIfAbsent(found.host(), HostAddresses::new);
    }

    /** Where a majority says that it is. */
    private CompletableFuture<ServerAddress> named() {
        Request ask = Request.of(Command.SENTINEL, "GET-MASTER-ADDR-BY-NAME", master.name());
        return sentinels
                .ask(ask, Sentinels::address, timeline.nanos() + requestTimeout.toNanos(), this::majority)
                .thenApply(it -> it.map(at -> master.at(at.host(), at.port()))
                        .orElseThrow(() -> new CoordinatorUnusableException(
                                "a majority of the sentinels knows no master " + master.name())));
    }

    /** None where that sentinel does not know the master. */
    private static Optional<HostAndPort> address(Reply reply) {
        return reply.isNothing()
                ? Optional.empty()
                : Optional.of(new HostAndPort(
                        reply.item(0).text(), Integer.parseInt(reply.item(1).text())));
    }

    private Optional<Optional<HostAndPort>> majority(List<Optional<HostAndPort>> said) {
        return said.stream()
                .filter(one -> Collections.frequency(said, one) >= sentinels.majority())
                .findFirst();
    }

    private synchronized void follow() {
        if (!closed) {
            next = Optional.of(timeline.at(timeline.nanos() + EVERY.toNanos(), this::look));
        }
    }

    private void look() {
        CompletableFuture<ServerAddress> unused = named().whenComplete((at, unknown) -> {
            if (unknown == null) {
                hearers.forEach(hearer -> hearer.accept(at));
            }
            follow();
        });
    }

    @Override
    public Role role() {
        return Role.MASTER;
    }

    @Override
    public void whenMoved(Consumer<ServerAddress> hears) {
        hearers.add(hears);
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            next.ifPresent(Timeline.Alarm::cancel);
        }
        sentinels.close();
    }

    @Override
    public String toString() {
        return "the master " + master.name() + " of the sentinels";
    }
}
