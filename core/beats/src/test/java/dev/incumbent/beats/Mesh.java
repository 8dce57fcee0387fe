package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** Processes that hear each other over a network, in virtual time: each runs the real machine. Messages take a millisecond; a cut holds them back, as TCP does. */
final class Mesh {
    static final long MILLI = 1_000_000;
    static final ElectionName ELECTION = new ElectionName("billing");
    private static final long DIAL_BOUND = 150 * MILLI;
    /** A machine's clock may be below zero. */
    private static final long FIRST_NANOS = -3_600_000 * MILLI;

    /** What was heard and suspected, a line each. */
    final List<String> told = new ArrayList<>();
    /** What was sent, a line each: {@code 50 a>b Beat…}. */
    final List<String> sent = new ArrayList<>();
    /** Which connections processes have dropped. */
    final List<Long> dropped = new ArrayList<>();

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<Long, String[]> ends = new TreeMap<>();
    private final Map<String, List<Runnable>> cuts = new TreeMap<>();
    private final PriorityQueue<Later> queue = new PriorityQueue<>();
    private long now = FIRST_NANOS;
    private long order;
    private long connections;

    private record Later(long at, long order, Runnable what) implements Comparable<Later> {
        @Override
        public int compareTo(Later other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
        }
    }

    private static final class Node {
        final BeatProtocol protocol;
        final Peer peer;
        BeatState state = BeatState.START;
        long wakes = Step.NEVER;
        boolean dead;
        boolean unplugged;
        boolean frozen;
        final List<BeatEvent> waiting = new ArrayList<>();

        Node(String name, Rhythm rhythm) {
            this.peer = peer(name);
            this.protocol = new BeatProtocol(peer, rhythm);
        }
    }

    Mesh(Rhythm rhythm, String... names) {
        for (String name : names) {
            nodes.put(name, new Node(name, rhythm));
        }
    }

    static Peer peer(String name) {
        return new Peer(new CandidateId(name), name + ":1");
    }

    /** The first leads, and all others follow it. */
    static Mesh following(String leader, String... followers) {
        return following(Rhythm.DEFAULT, leader, followers);
    }

    static Mesh following(Rhythm rhythm, String leader, String... followers) {
        List<String> all = new ArrayList<>(List.of(followers));
        all.add(leader);
        Mesh mesh = new Mesh(rhythm, all.toArray(String[]::new));
        mesh.leads(leader, 1);
        for (String follower : followers) {
            mesh.follows(follower, leader);
        }
        mesh.run(1000);
        return mesh;
    }

    void leads(String name, long term) {
        leads(name, Map.of(ELECTION, term));
    }

    void leads(String name, Map<ElectionName, Long> terms) {
        step(node(name), new BeatEvent.Leads(terms));
    }

    void follows(String name, String... leaders) {
        Map<CandidateId, String> addresses = new TreeMap<>();
        for (String leader : leaders) {
            addresses.put(peer(leader).id(), peer(leader).address());
        }
        step(node(name), new BeatEvent.Follows(addresses));
    }

    BeatState state(String name) {
        return node(name).state;
    }

    /** What the first knows of the second. */
    Link link(String of, String with) {
        return Objects.requireNonNull(state(of).links().get(peer(with).id()));
    }

    /** How the first doubts the second. */
    BeatState.Doubt doubt(String of, String about) {
        return Objects.requireNonNull(state(of).doubts().get(peer(about).id()));
    }

    private Node node(String name) {
        return Objects.requireNonNull(nodes.get(name), name);
    }

    /** How many connections there are. */
    int connections() {
        return ends.size();
    }

    /** How many there ever were. */
    long everConnected() {
        return connections;
    }

    long millis() {
        return (now - FIRST_NANOS) / MILLI;
    }

    void run(long millis) {
        long until = now + millis * MILLI;
        while (!queue.isEmpty() && queue.peek().at() <= until) {
            Later next = queue.poll();
            now = Math.max(now, next.at());
            next.what().run();
        }
        now = until;
    }

    /** From one to the other nothing arrives until it is healed. */
    void cut(String from, String to) {
        cuts.putIfAbsent(from + ">" + to, new ArrayList<>());
    }

    void cutBoth(String one, String other) {
        cut(one, other);
        cut(other, one);
    }

    void heal(String from, String to) {
        List<Runnable> held = cuts.remove(from + ">" + to);
        held.forEach(Runnable::run);
    }

    /** Its host ends its connections, and refuses others. */
    void kill(String name) {
        node(name).dead = true;
        List.copyOf(ends.entrySet()).forEach(end -> {
            if (List.of(end.getValue()).contains(name)) {
                reset(end.getKey());
            }
        });
    }

    /** Nobody hears of its host any more. */
    void unplug(String name) {
        node(name).unplugged = true;
    }

    void freeze(String name) {
        node(name).frozen = true;
    }

    /** It finds its alarm first, and what has arrived after that. */
    void thaw(String name) {
        Node node = node(name);
        node.frozen = false;
        List<BeatEvent> waiting = List.copyOf(node.waiting);
        node.waiting.clear();
        step(node, new BeatEvent.Woken());
        waiting.forEach(event -> step(node, event));
    }

    BeatState close(String name) {
        step(node(name), new BeatEvent.Closing());
        node(name).dead = true;
        return state(name);
    }

    /** When it wants to be woken. */
    long wakes(String name) {
        return node(name).wakes;
    }

    /** Ends the connection between these two, as a network in between may. */
    void resetBetween(String one, String other) {
        List.copyOf(ends.entrySet()).forEach(end -> {
            if (List.of(end.getValue()).containsAll(List.of(one, other))) {
                reset(end.getKey());
            }
        });
    }

    /** Something arrives at a process on its connection with another one. */
    void inject(String at, String from, Message message) {
        step(node(at), new BeatEvent.Received(link(at, from).connection(), message));
    }

    void step(String name, BeatEvent event) {
        step(node(name), event);
    }

    private void step(Node node, BeatEvent event) {
        if (node.dead) {
            return;
        }
        if (node.frozen) {
            if (!(event instanceof BeatEvent.Woken)) {
                node.waiting.add(event);
            }
            return;
        }
        Moment moment = new Moment(now, Instant.EPOCH.plusNanos(now));
        Step<BeatState, BeatEffect> step = node.protocol.step(node.state, event, moment);
        if (!step.equals(node.protocol.step(node.state, event, moment)) || step.wakeAtNanos() <= now) {
            throw new AssertionError("two different steps, or woken in the past: " + event);
        }
        node.state = step.state();
        step.effects().forEach(effect -> perform(node, effect));
        wake(node, step.wakeAtNanos());
    }

    private void wake(Node node, long at) {
        node.wakes = at;
        if (at != Step.NEVER) {
            at(at, () -> {
                if (node.wakes == at) {
                    step(node, new BeatEvent.Woken());
                }
            });
        }
    }

    private void perform(Node node, BeatEffect effect) {
        String name = name(node.peer);
        if (effect instanceof BeatEffect.Dial dial) {
            dial(node, dial.peer());
        } else if (effect instanceof BeatEffect.Send send) {
            String[] pair = ends.get(send.connection());
            if (pair != null) {
                String other = pair[0].equals(name) ? pair[1] : pair[0];
                sent.add(millis() + " " + name + ">" + other + " " + send.message());
                deliver(name, other, new BeatEvent.Received(send.connection(), send.message()));
            }
        } else if (effect instanceof BeatEffect.Drop drop) {
            dropped.add(drop.connection());
            String[] pair = ends.remove(drop.connection());
            if (pair != null) {
                String other = pair[0].equals(name) ? pair[1] : pair[0];
                deliver(name, other, new BeatEvent.Disconnected(drop.connection()));
            }
        } else if (effect instanceof BeatEffect.Hear hear) {
            told.add(millis() + " " + name + " hears " + hear.leader() + " " + hear.terms());
        } else if (effect instanceof BeatEffect.Suspect suspect) {
            told.add(millis() + " " + name + " suspects " + suspect.leader() + " " + suspect.terms() + " "
                    + suspect.reason());
        } else if (effect instanceof BeatEffect.TellMistake mistake) {
            told.add(millis() + " " + name + " was mistaken of " + mistake.leader() + ", patience "
                    + mistake.patience());
        }
    }

    private void dial(Node node, Peer peer) {
        Node other = node(name(peer));
        String from = name(node.peer);
        String to = name(peer);
        boolean unheard = other.unplugged
                || node.unplugged
                || other.frozen
                || cuts.containsKey(from + ">" + to)
                || cuts.containsKey(to + ">" + from);
        if (unheard) {
            at(now + DIAL_BOUND, () -> step(node, new BeatEvent.Unreached(peer, false)));
        } else if (other.dead) {
            at(now + MILLI, () -> step(node, new BeatEvent.Unreached(peer, true)));
        } else {
            long connection = ++connections;
            ends.put(connection, new String[] {from, to});
            at(now + MILLI, () -> step(other, new BeatEvent.Connected(connection, node.peer, false)));
            at(now + 2 * MILLI, () -> step(node, new BeatEvent.Connected(connection, peer, true)));
        }
    }

    private void deliver(String from, String to, BeatEvent event) {
        if (node(from).unplugged || node(to).unplugged) {
            return;
        }
        List<Runnable> held = cuts.get(from + ">" + to);
        Runnable arrives = () -> at(now + MILLI, () -> step(node(to), event));
        if (held != null) {
            held.add(arrives);
        } else {
            arrives.run();
        }
    }

    private void reset(long connection) {
        for (String end : ends.remove(connection)) {
            at(now + MILLI, () -> step(node(end), new BeatEvent.Disconnected(connection)));
        }
    }

    private void at(long when, Runnable what) {
        queue.add(new Later(when, order++, what));
    }

    private static String name(Peer peer) {
        return peer.id().value();
    }
}
