package dev.incumbent.adverse;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/** The clients of a rig, each of which reaches each server over a wire of its own; and the real time that they live in. Thread-safe. */
public final class Wires implements AutoCloseable {
    private final SystemTimeline timeline = new SystemTimeline();
    private final IdentityHashMap<Coordinator, List<TcpProxy>> clients = new IdentityHashMap<>();

    public Wires() {
        timeline.at(timeline.nanos(), () -> {}); // its thread is there before any test counts threads
    }

    /** A client of one server, over a wire to that port. */
    public Coordinator connect(int port, Function<TcpProxy, Coordinator> opening) {
        return connect(List.of(port), wires -> opening.apply(wires.get(0)));
    }

    /** A client of several servers, over a wire to each of those ports. */
    public Coordinator connect(List<Integer> ports, Function<List<TcpProxy>, Coordinator> opening) {
        List<TcpProxy> own = ports.stream().map(TcpProxy::to).toList();
        Coordinator client = opening.apply(own);
        synchronized (clients) {
            clients.put(client, own);
        }
        return client;
    }

    /** The wires of that client; fails if it has none. */
    public List<TcpProxy> of(Coordinator client) {
        synchronized (clients) {
            return Optional.ofNullable(clients.get(client)).orElseThrow();
        }
    }

    /** From now on all lead there, as they do where another server takes the place of the one that there was. */
    public void leadTo(int port) {
        all().forEach(wire -> wire.leadTo(port));
    }

    /** Those of all clients. */
    public List<TcpProxy> all() {
        synchronized (clients) {
            return clients.values().stream().flatMap(List::stream).toList();
        }
    }

    public Timeline timeline() {
        return timeline;
    }

    void passTime(Duration length) {
        long end = timeline.nanos() + length.toNanos();
        for (long left = length.toNanos(); left > 0; left = end - timeline.nanos()) {
            LockSupport.parkNanos(left);
        }
    }

    /** Ends clients, wires and time. */
    @Override
    public void close() {
        synchronized (clients) {
            clients.keySet().forEach(Coordinator::close);
        }
        all().forEach(TcpProxy::close);
        timeline.close();
    }
}
