package dev.incumbent.simulation;

import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.Message;
import dev.incumbent.beats.Peer;
import dev.incumbent.beats.Rhythm;
import dev.incumbent.model.CandidateId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The connections by which the processes of a world hear each other. What is sent arrives in order, and late where its way was cut meanwhile, as over TCP. A process
 * that dies ends its connections, but where its machine dies with it.
 */
final class PeerNetwork {
    private static final int BEATS_A_LEASE = 24;
    private static final int DIAL_BEATS = 3;

    private final World world;
    private final Draws draws;
    private final Rhythm rhythm;
    private final PeerWay[][] ways;
    private final Map<String, SimulatedBeats> hosts = new LinkedHashMap<>();
    private final Map<Long, Connection> connections = new LinkedHashMap<>();
    private long count;

    PeerNetwork(World world, Optional<Rhythm> chosen) {
        int nodes = world.profile().nodes();
        long seed = world.profile().seed();
        this.world = world;
        this.draws = new Draws(Draws.mix(seed, 81), nodes * nodes + 2);
        Rhythm drawn = new Rhythm(
                Duration.ofNanos(world.profile().leaseNanos() / BEATS_A_LEASE), 3, draws.oneIn(nodes * nodes, 2));
        this.rhythm = chosen.orElse(drawn);
        long typical = Math.min(world.profile().latencyNanos(), beatNanos() / 8);
        this.ways = new PeerWay[nodes][nodes];
        for (int from = 0; from < nodes; from++) {
            for (int to = 0; to < nodes; to++) {
                ways[from][to] = new PeerWay(world.agenda(), draws, from * nodes + to, typical);
            }
        }
    }

    Rhythm rhythm() {
        return rhythm;
    }

    long beatNanos() {
        return rhythm.beat().toNanos();
    }

    PeerWay way(int from, int to) {
        return ways[from][to];
    }

    void heal() {
        for (PeerWay[] row : ways) {
            for (PeerWay way : row) {
                way.heal();
            }
        }
    }

    /** A new process is there. */
    SimulatedBeats open(CandidateId id, SimulatedProcess process) {
        SimulatedBeats host = new SimulatedBeats(world, this, new Peer(id, addressOf(process.node())), process);
        hosts.put(host.address(), host);
        return host;
    }

    static String addressOf(Node node) {
        return "host" + node.index() + ":7400";
    }

    /** How many connections of that machine's processes had been open for some beats at that time, and are. */
    long listenersAt(int node, long time) {
        return connections.values().stream()
                .filter(one -> one.openedAt <= time - 4 * beatNanos())
                .filter(one -> one.isOf(node))
                .count();
    }

    /** Does one in three take its machine with it? */
    boolean diesWithItsMachine() {
        return draws.oneIn(ways.length * ways.length + 1, 3);
    }

    /** Two ends, and when the last message in either direction arrives. */
    private static final class Connection {
        private final long number;
        private final SimulatedBeats dialler;
        private final SimulatedBeats dialled;
        private final long openedAt;
        private long arrivedAtDialler;
        private long arrivedAtDialled;

        Connection(long number, SimulatedBeats dialler, SimulatedBeats dialled, long openedAt) {
            this.number = number;
            this.dialler = dialler;
            this.dialled = dialled;
            this.openedAt = openedAt;
        }

        boolean isOf(int node) {
            return dialler.index() == node || dialled.index() == node;
        }

        boolean isBetween(int one, int other) {
            return isOf(one) && isOf(other);
        }

        SimulatedBeats other(SimulatedBeats one) {
            return one == dialler ? dialled : dialler;
        }

        /** Never before what was sent before. */
        long inOrder(SimulatedBeats to, long at) {
            if (to == dialler) {
                arrivedAtDialler = Math.max(arrivedAtDialler, at);
                return arrivedAtDialler;
            }
            arrivedAtDialled = Math.max(arrivedAtDialled, at);
            return arrivedAtDialled;
        }
    }

    void dial(SimulatedBeats from, Peer wanted) {
        PeerWay there = between(from.index(), wanted.address(), true);
        PeerWay back = between(from.index(), wanted.address(), false);
        if (there.refuses()) {
            unreached(from, wanted, true, there.latency() + back.latency());
            return;
        }
        if (there.isCut() || back.isCut()) {
            unreached(from, wanted, false, DIAL_BEATS * beatNanos());
            return;
        }
        long arrives = there.latency();
        world.agenda().in(arrives, () -> dialled(from, wanted, back.latency()));
    }

    private PeerWay between(int me, String address, boolean there) {
        int other = Integer.parseInt(address.substring("host".length(), address.indexOf(':')));
        return there ? ways[me][other] : ways[other][me];
    }

    /** Whoever answers there: that process, another one, nobody, or no machine. */
    private void dialled(SimulatedBeats from, Peer wanted, long back) {
        SimulatedBeats host = Optional.ofNullable(hosts.get(wanted.address())).orElseThrow();
        boolean isSilent = host.isWithoutMachine() || host.isPaused();
        if (isSilent || !host.isOpen() || !host.peer().equals(wanted)) {
            unreached(from, wanted, !isSilent && !host.isOpen(), isSilent ? DIAL_BEATS * beatNanos() : back);
            return;
        }
        Connection made = new Connection(++count, from, host, world.now());
        connections.put(made.number, made);
        host.arrives(new BeatEvent.Connected(made.number, from.peer(), false));
        long at = made.inOrder(from, world.now() + back);
        world.agenda().at(at, () -> from.arrives(new BeatEvent.Connected(made.number, wanted, true)));
    }

    private void unreached(SimulatedBeats from, Peer wanted, boolean refused, long after) {
        world.agenda().in(after, () -> from.arrives(new BeatEvent.Unreached(wanted, refused)));
    }

    void send(SimulatedBeats from, long connection, Message message) {
        Connection open = connections.get(connection);
        if (open != null) {
            carry(open, from, new BeatEvent.Received(connection, message));
        }
    }

    private void carry(Connection open, SimulatedBeats from, BeatEvent event) {
        SimulatedBeats to = open.other(from);
        Optional<Long> arrival = ways[from.index()][to.index()].arrival();
        arrival.ifPresent(at -> world.agenda().at(open.inOrder(to, at), () -> to.arrives(event)));
    }

    /** That end ends it; the other one hears of it after all that was sent. */
    void end(SimulatedBeats by, long connection) {
        Connection ended = connections.remove(connection);
        if (ended != null) {
            carry(ended, by, new BeatEvent.Disconnected(connection));
        }
    }

    /** Its process is gone. Where its machine is gone, too, nobody is told. */
    void gone(SimulatedBeats host) {
        for (Connection one : of(host)) {
            if (host.isWithoutMachine()) {
                connections.remove(one.number);
            } else {
                end(host, one.number);
            }
        }
    }

    /** Something between the two resets what is open, at once, and refuses what is dialled. */
    void refuse(int one, int other, long until) {
        ways[one][other].refusesUntil(until);
        ways[other][one].refusesUntil(until);
        for (Connection open : List.copyOf(connections.values())) {
            if (open.isBetween(one, other)) {
                connections.remove(open.number);
                open.dialler.arrives(new BeatEvent.Disconnected(open.number));
                open.dialled.arrives(new BeatEvent.Disconnected(open.number));
            }
        }
    }

    private List<Connection> of(SimulatedBeats host) {
        List<Connection> mine = new ArrayList<>(connections.values());
        mine.removeIf(one -> one.dialler != host && one.dialled != host);
        return mine;
    }
}
