package dev.incumbent.simulation;

import java.util.function.LongConsumer;

/** One direction between two machines: messages take their time, may be lost or doubled, and overtake each other. Times are those of the agenda. */
public final class Link {
    private final Agenda agenda;
    private final Draws draws;
    private final int stream;
    private final long typicalNanos;
    private long cutUntil;
    private long slowUntil;
    private long lossyUntil;
    private long slowNanos;
    private boolean doubling;
    private LongConsumer told = takes -> {};

    /** One whose messages mostly take about that long; what becomes of each is drawn from that stream. */
    public Link(Agenda agenda, Draws draws, int stream, long typicalNanos) {
        this.agenda = agenda;
        this.draws = draws;
        this.stream = stream;
        this.typicalNanos = typicalNanos;
    }

    /** Who is told of each message how long it takes, or that it is lost. */
    void tells(LongConsumer listener) {
        told = listener;
    }

    /** Nothing that is sent before that time arrives. */
    public void cutUntil(long time) {
        cutUntil = Math.max(cutUntil, time);
    }

    void lossyUntil(long time) {
        lossyUntil = Math.max(lossyUntil, time);
    }

    void slowUntil(long time, long extraNanos) {
        slowUntil = Math.max(slowUntil, time);
        slowNanos = extraNanos;
    }

    void doubling(boolean is) {
        doubling = is;
    }

    boolean isCut() {
        return agenda.now() < cutUntil;
    }

    boolean isCutForEver() {
        return cutUntil == Long.MAX_VALUE;
    }

    /** It carries as at the beginning. */
    public void heal() {
        cutUntil = 0;
        slowUntil = 0;
        lossyUntil = 0;
        doubling = false;
    }

    /** Carries it, or loses it; says which. */
    public boolean carry(Runnable arrival) {
        long now = agenda.now();
        boolean lost = now < cutUntil || (now < lossyUntil && draws.oneIn(stream, 3));
        long delay = draws.latency(stream, typicalNanos) + (now < slowUntil ? draws.below(stream, slowNanos + 1) : 0);
        boolean twice = doubling && draws.oneIn(stream, 20);
        told.accept(lost ? WorldWatcher.LOST : delay);
        if (lost) {
            return false;
        }
        agenda.in(delay, arrival);
        if (twice) {
            agenda.in(delay * 3, arrival);
        }
        return true;
    }
}
