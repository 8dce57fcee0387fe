package dev.incumbent.lab.world;

import dev.incumbent.simulation.Agenda;
import dev.incumbent.simulation.Draws;

/** The network of a world: between members, to the store and to the sink. Messages take their time, may be lost and overtake each other; each way can be cut by itself. */
public final class LabNetwork {
    private static final long TYPICAL_NANOS = 1_000_000;
    private static final int PERCENT = 100;

    private final Agenda agenda;
    private final Draws draws;
    private final int stream;
    private final long[][] cutUntil;
    private long lossyUntil;
    private long lossPercent;
    private long slowUntil;
    private long slowNanos = 1;
    private RunWatcher watcher = RunWatcher.NONE;
    private long heartbeats;
    private long elections;

    LabNetwork(Agenda agenda, Draws draws, int stream, int endpoints) {
        this.agenda = agenda;
        this.draws = draws;
        this.stream = stream;
        this.cutUntil = new long[endpoints][endpoints];
    }

    void watchedBy(RunWatcher by) {
        watcher = by;
    }

    /** Sends a message from one endpoint to another; it arrives later, or never. */
    public void send(RunWatcher.Way way, MessageKind kind, String label, Runnable arrival) {
        count(kind, 1);
        long now = agenda.now();
        long delay = draws.latency(stream, TYPICAL_NANOS) + (now < slowUntil ? draws.below(stream, slowNanos) : 0);
        boolean lost = now < lossyUntil && draws.below(stream, PERCENT) < lossPercent;
        boolean arrives = !lost && now >= cutUntil[way.from()][way.to()];
        watcher.sent(kind, label, way, arrives ? delay : RunWatcher.LOST);
        if (arrives) {
            agenda.in(delay, arrival);
        }
    }

    /** So many messages that were counted as heartbeats turned out to serve an election. */
    public void wereOfAnElection(int messages) {
        heartbeats -= messages;
        elections += messages;
    }

    /** Nothing arrives on that way until then. */
    void cut(int from, int to, long until) {
        cutUntil[from][to] = Math.max(cutUntil[from][to], until);
    }

    void lose(long percent, long until) {
        lossPercent = percent;
        lossyUntil = until;
    }

    void delay(long most, long until) {
        slowNanos = most + 1;
        slowUntil = until;
    }

    long heartbeats() {
        return heartbeats;
    }

    long elections() {
        return elections;
    }

    void countAnew() {
        heartbeats = 0;
        elections = 0;
    }

    private void count(MessageKind kind, long messages) {
        if (kind == MessageKind.HEARTBEAT) {
            heartbeats += messages;
        } else if (kind == MessageKind.ELECTION) {
            elections += messages;
        }
    }
}
