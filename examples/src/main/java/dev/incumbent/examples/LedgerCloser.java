package dev.incumbent.examples;

import static java.time.Duration.ofSeconds;

import dev.incumbent.Elections;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Timing;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/** The README's example as a program: of all that run it, one appends what there is to append. */
public final class LedgerCloser {
    private final String coordinator;
    private final Sink sink;
    private final Ledger ledger;
    private final Queue<String> lines;
    private final CountDownLatch shutdown = new CountDownLatch(1);

    public LedgerCloser(String coordinator, Sink sink, Ledger ledger, Queue<String> lines) {
        this.coordinator = coordinator;
        this.sink = sink;
        this.ledger = ledger;
        this.lines = lines;
    }

    /** Stands until it is told to shut down. */
    @SuppressWarnings("try") // a candidacy need not be spoken to: that it is open is what counts
    public void run() throws InterruptedException {
        try (var elections = Elections.connect(coordinator)
                        .name("ledger-1")
                        .timing(Timing.ofLease(ofSeconds(15)))
                        .open();
                var candidacy = elections
                        .election("billing/closer")
                        .guarding(sink)
                        .campaign(leadership -> {
                            while (more())
                                ledger.append(next(), leadership.token()); // the ledger stands behind a Fence
                        })) {
            awaitShutdown();
        }
    }

    /** Lets {@link #run} end. */
    public void shutDown() {
        shutdown.countDown();
    }

    private boolean more() {
        return !lines.isEmpty();
    }

    private String next() {
        return lines.remove();
    }

    private void awaitShutdown() throws InterruptedException {
        shutdown.await();
    }
}
