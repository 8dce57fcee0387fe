package dev.incumbent.quorum;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Writes one election over and over, alone, and holds every answer against what is there. */
final class Writer implements Runnable {
    private static final Duration BETWEEN_WRITES = Duration.ofMillis(5);

    private final Coordinator client;
    private final ElectionName election = new ElectionName("transfer/" + UUID.randomUUID());
    private final Thread thread = new Thread(this, "writer");
    private final AtomicInteger accepted = new AtomicInteger();
    private final List<String> wrong = new ArrayList<>();
    private final Set<Revision> uncertain = new HashSet<>();
    private Revision current = Revision.ABSENT;
    private long term;
    private volatile boolean ended;

    Writer(Coordinator client) {
        this.client = client;
        thread.start();
    }

    @Override
    public void run() {
        while (!ended && wrong.isEmpty()) {
            write();
            LockSupport.parkNanos(BETWEEN_WRITES.toNanos());
        }
    }

    private void write() {
        LeaderRecord next = Calling.record(++term);
        Revision written = new Revision(next.nonce());
        try {
            Swap swap = Calling.joined(client.swap(election, current, next));
            if (swap instanceof Swap.Accepted) {
                current = written;
                accepted.incrementAndGet();
            } else {
                expect(found(), uncertain, "refused");
            }
        } catch (CoordinatorException e) {
            Revision found = found();
            if (e.mayHaveApplied()) {
                uncertain.add(written);
                expect(found, uncertain, "uncertain");
            } else if (!found.equals(current)) {
                expect(found, uncertain, "told as not applied: " + e.getMessage());
            }
        }
    }

    /** What is there is the last that was accepted, or one of those whose outcome was not told. */
    private void expect(Revision found, Set<Revision> possible, String told) {
        if (!found.equals(current) && !possible.contains(found)) {
            wrong.add(told + ", and " + found + " stands where " + current + " stood");
        }
        current = found;
    }

    private Revision found() {
        while (true) {
            try {
                return Calling.found(client, election);
            } catch (CoordinatorException notYet) {
                if (ended) {
                    return current;
                }
            }
        }
    }

    void awaitProgress() {
        int before = accepted.get();
        Waiting.until("ten writes more", () -> accepted.get() > before + 10 || !thread.isAlive());
    }

    List<String> end() throws InterruptedException {
        ended = true;
        thread.join();
        return wrong;
    }
}
