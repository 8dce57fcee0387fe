package dev.incumbent.simulation;

import java.util.Optional;

/** One direction between the processes of two machines: nothing is lost on it, but what is sent while it is cut waits until it is whole. */
final class PeerWay {
    private final Agenda agenda;
    private final Draws draws;
    private final int stream;
    private final long typicalNanos;
    private long cutUntil;
    private long refusesUntil = Long.MIN_VALUE;
    private long refusedFrom = Long.MAX_VALUE;
    private long slowUntil;
    private long slowNanos;
    private long troubledFrom = Long.MAX_VALUE;
    private long troubledUntil = Long.MIN_VALUE;

    PeerWay(Agenda agenda, Draws draws, int stream, long typicalNanos) {
        this.agenda = agenda;
        this.draws = draws;
        this.stream = stream;
        this.typicalNanos = typicalNanos;
    }

    void cutUntil(long time) {
        cutUntil = Math.max(cutUntil, time);
        troubled(time);
    }

    /** What is dialled meanwhile is refused at once, as if nobody listened there. */
    void refusesUntil(long time) {
        if (refusesUntil < agenda.now()) {
            refusedFrom = agenda.now();
        }
        refusesUntil = Math.max(refusesUntil, time);
        troubled(time);
    }

    void slowUntil(long time, long extraNanos) {
        slowUntil = Math.max(slowUntil, time);
        slowNanos = extraNanos;
        troubled(time + extraNanos);
    }

    /** One trouble after another is one, if there was no lull between them. */
    private void troubled(long until) {
        if (troubledUntil < agenda.now()) {
            troubledFrom = agenda.now();
        }
        troubledUntil = Math.max(troubledUntil, until);
    }

    boolean isCut() {
        return agenda.now() < cutUntil;
    }

    boolean refuses() {
        return agenda.now() < refusesUntil;
    }

    /** Was it in trouble at that time or later? */
    boolean isTroubledSince(long time) {
        return troubledUntil >= time;
    }

    /** When the last trouble began. */
    long troubledFrom() {
        return troubledFrom;
    }

    long refusedFrom() {
        return refusedFrom;
    }

    boolean isRefusedSince(long time) {
        return refusesUntil >= time;
    }

    /** Did it refuse at that time? */
    boolean refusedAt(long time) {
        return refusedFrom <= time && time <= refusesUntil;
    }

    void heal() {
        long now = agenda.now();
        cutUntil = Math.min(cutUntil, now);
        refusesUntil = Math.min(refusesUntil, now);
        slowUntil = Math.min(slowUntil, now);
        troubledUntil = Math.min(troubledUntil, now + slowNanos);
    }

    long latency() {
        long now = agenda.now();
        long usual = typicalNanos / 2 + draws.below(stream, typicalNanos + 1);
        return usual + (now < slowUntil ? draws.below(stream, slowNanos + 1) : 0);
    }

    /** When what is sent now arrives; never, where it is cut for ever. */
    Optional<Long> arrival() {
        long latency = latency();
        long leaves = Math.max(agenda.now(), cutUntil);
        return cutUntil == Long.MAX_VALUE ? Optional.empty() : Optional.of(leaves + latency);
    }
}
