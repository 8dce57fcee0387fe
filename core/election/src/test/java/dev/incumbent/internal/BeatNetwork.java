package dev.incumbent.internal;

import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.beats.Message;
import dev.incumbent.beats.Peer;
import dev.incumbent.model.CandidateId;
import dev.incumbent.time.Timeline;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** A network in virtual time by which processes hear each other: what is sent takes a millisecond. */
final class BeatNetwork {
    private static final long MILLI = 1_000_000;
    private static final long DIAL_BOUND = 150 * MILLI;

    private final Timeline time;
    private final Map<String, Host> hosts = new HashMap<>();
    private final Map<Long, List<Host>> connections = new HashMap<>();
    private long count;

    BeatNetwork(Timeline time) {
        this.time = time;
    }

    /** Where one process is. */
    final class Host implements BeatTransport {
        private final Peer peer;
        private Consumer<BeatEvent> hears = event -> {};
        private long wakesAt;
        private boolean isGone;
        private boolean isFrozen;

        private Host(CandidateId id) {
            this.peer = new Peer(id, id + ":1");
        }

        /** Its process ends: connections end, and others are refused. */
        void kill() {
            isGone = true;
            List.copyOf(connections.entrySet()).forEach(one -> {
                if (one.getValue().contains(this)) {
                    end(one.getKey());
                }
            });
        }

        /** Its process stands still: nothing of it is heard. */
        void freeze() {
            isFrozen = true;
        }

        /** After a freeze: it is heard again. */
        void goesOn() {
            isFrozen = false;
            hears(new BeatEvent.Woken());
        }

        private void end(long connection) {
            List<Host> ends = connections.remove(connection);
            if (ends != null) {
                ends.forEach(host -> host.soon(() -> host.hears(new BeatEvent.Disconnected(connection))));
            }
        }

        private void soon(Runnable task) {
            time.at(time.nanos() + MILLI, task);
        }

        private void hears(BeatEvent event) {
            if (!isGone && !isFrozen) {
                hears.accept(event);
            }
        }

        @Override
        public String address() {
            return peer.address();
        }

        @Override
        public long nanos() {
            return time.nanos();
        }

        @Override
        public void begin(Consumer<BeatEvent> consumer) {
            hears = consumer;
        }

        @Override
        public void execute(Runnable task) {
            soon(task);
        }

        @Override
        public void wakeAt(long nanos) {
            wakesAt = nanos;
            time.at(nanos, () -> {
                if (wakesAt == nanos) {
                    hears(new BeatEvent.Woken());
                }
            });
        }

        @Override
        public void dial(Peer other) {
            Host host = Objects.requireNonNull(hosts.get(other.address()), other.address());
            if (host.isFrozen || isFrozen) {
                time.at(time.nanos() + DIAL_BOUND, () -> hears(new BeatEvent.Unreached(other, false)));
            } else if (host.isGone) {
                soon(() -> hears(new BeatEvent.Unreached(other, true)));
            } else {
                long connection = ++count;
                connections.put(connection, List.of(this, host));
                host.soon(() -> host.hears(new BeatEvent.Connected(connection, peer, false)));
                soon(() -> hears(new BeatEvent.Connected(connection, other, true)));
            }
        }

        @Override
        public void send(long connection, Message message) {
            List<Host> ends = connections.get(connection);
            if (ends != null && !isFrozen) {
                Host other = ends.get(0) == this ? ends.get(1) : ends.get(0);
                other.soon(() -> other.hears(new BeatEvent.Received(connection, message)));
            }
        }

        @Override
        public void drop(long connection) {
            List<Host> ends = connections.remove(connection);
            if (ends != null) {
                Host other = ends.get(0) == this ? ends.get(1) : ends.get(0);
                other.soon(() -> other.hears(new BeatEvent.Disconnected(connection)));
            }
        }

        @Override
        public void close() {
            soon(this::kill);
        }
    }

    BeatTransport open(CandidateId id) {
        Host host = new Host(id);
        hosts.put(host.address(), host);
        return host;
    }

    /** How many connections there ever were. */
    long everConnected() {
        return count;
    }

    Host of(String name) {
        return Objects.requireNonNull(hosts.get(name + ":1"), name);
    }
}
