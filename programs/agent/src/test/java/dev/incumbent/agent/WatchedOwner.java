package dev.incumbent.agent;

import dev.incumbent.agent.PlainHttp.Answer;
import dev.incumbent.wire.Json;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** An owner that leads, and sends heartbeats by a thread of its own. It notes whatever would have cost it its term, or its belief. */
final class WatchedOwner implements AutoCloseable {
    private static final long BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int LONGEST_END_MILLIS = 20_000;

    private final LocalOwner owner;
    private final long token;
    private final Thread thread = new Thread(this::run, "owner");
    private final ConcurrentLinkedQueue<String> troubles = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();
    private volatile long believesUntil;
    private volatile boolean over;

    /** Waits until that owner leads, and watches it from then on. */
    WatchedOwner(LocalOwner owner) {
        this.owner = owner;
        this.token = owner.awaitLead().at("token").number();
        beat();
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        while (!over) {
            beat();
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
    }

    private void beat() {
        long sent = System.nanoTime();
        try {
            judge(sent, owner.beat());
        } catch (RuntimeException lost) {
            unanswered.incrementAndGet();
        }
    }

    private void judge(long sent, Answer answer) {
        Json told = answer.json();
        if (!told.at("leads").flag() || told.at("token").number() != token) {
            troubles.add("it led with " + token + ", and is told: " + answer);
        } else if (answered.get() > 0 && System.nanoTime() - believesUntil > 0) {
            troubles.add("its belief had passed when it was told: " + answer);
        }
        believesUntil = sent + TimeUnit.MILLISECONDS.toNanos(told.at("holdsMs").number());
        answered.incrementAndGet();
    }

    /** The id of its candidacy: whoever knows it, and may campaign, may speak for this owner. */
    String id() {
        return owner.address().substring(owner.address().lastIndexOf('/') + 1);
    }

    /** How many heartbeats were answered. */
    int answered() {
        return answered.get();
    }

    /** How many heartbeats had no answer. */
    int unanswered() {
        return unanswered.get();
    }

    /** What went wrong so far, and whether its belief has passed by now. */
    List<String> troubles() {
        if (System.nanoTime() - believesUntil > 0) {
            troubles.add("its belief passes while it waits for an answer");
        }
        return List.copyOf(troubles);
    }

    /** Leaves. */
    @Override
    public void close() {
        over = true;
        try {
            thread.join(LONGEST_END_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        owner.leaveIfThere();
    }
}
