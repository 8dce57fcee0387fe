package dev.incumbent.examples;

import dev.incumbent.coordinator.peers.PeerElections;
import dev.incumbent.fence.Sink;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/** The README's example without a coordinator: three members elect one of them, which appends what there is to append. */
public final class PeerLedger {
    private final String group;
    private final Sink sink;
    private final Ledger ledger;
    private final Queue<String> lines;
    private final CountDownLatch shutdown = new CountDownLatch(1);

    /** {@code group} is such as {@code peers+raft://a:7501,b:7501,c:7501?me=a&data=/var/lib/closer}. */
    public PeerLedger(String group, Sink sink, Ledger ledger, Queue<String> lines) {
        this.group = group;
        this.sink = sink;
        this.ledger = ledger;
        this.lines = lines;
    }

    /** Once, on each member. */
    public void found() {
        PeerElections.found(group, "billing/closer");
    }

    /** Takes part until it is told to shut down. */
    @SuppressWarnings("try") // a candidacy need not be spoken to: that it is open is what counts
    public void run() throws InterruptedException {
        try (var peers = PeerElections.connect(group).open();
                var candidacy = peers.election("billing/closer").guarding(sink).campaign(leadership -> {
                    while (more()) ledger.append(next(), leadership.token()); // the ledger stands behind a Fence
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
