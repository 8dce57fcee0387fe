package dev.incumbent.quorum;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Candidates that lead one election in turn and hand over, a writer of another election, and a witness of what no two terms may do. */
final class Campaigns {
    static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(12));
    private static final Duration TERM = Duration.ofSeconds(2);

    private final String uri;
    private final SystemTimeline time = new SystemTimeline();
    private final String office = "turns/" + UUID.randomUUID();
    private final List<Candidacy> candidacies = new ArrayList<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final AtomicInteger handedOver = new AtomicInteger();
    private final List<String> wrong = new CopyOnWriteArrayList<>();
    private final Thread witness = new Thread(this::watch, "witness");
    private final Writer writer;
    private volatile boolean over;

    private Campaigns(String uri) {
        this.uri = uri;
        this.writer = new Writer(client());
    }

    static Campaigns start(String uri, int candidates) {
        Campaigns campaigns = new Campaigns(uri);
        for (int i = 1; i <= candidates; i++) {
            campaigns.stand("c" + i);
        }
        campaigns.witness.start();
        return campaigns;
    }

    /** The election that is led in turn. */
    String office() {
        return office;
    }

    /** Waits until the writer has written more and two terms more have been handed over. */
    String progress(String phase) {
        int before = handedOver.get();
        writer.awaitProgress();
        Waiting.until("terms under " + phase, () -> handedOver.get() >= before + 2);
        return phase + ": " + handedOver + " terms so far";
    }

    /** Ends the writer: acknowledged changes that were lost. */
    List<String> lost() throws InterruptedException {
        return writer.end();
    }

    /** Ends the witness: what no two terms may do. */
    List<String> wrong() throws InterruptedException {
        over = true;
        witness.join();
        return wrong;
    }

    void end() throws Exception {
        over = true;
        for (AutoCloseable one : open) {
            one.close();
        }
        open.clear();
        time.close();
    }

    private Coordinator client() {
        Coordinator client = new QuorumCoordinatorProvider().open(uri, time, TIMING.requestTimeout(), Mode.CREATE);
        open.add(client);
        return client;
    }

    private void stand(String name) {
        Elections elections = Elections.over(client())
                .name(name)
                .timing(TIMING)
                .timeline(time)
                .open();
        Candidacy candidacy = elections.election(office).campaign(this::leadAndHandOver);
        candidacies.add(candidacy);
        open.add(0, elections);
        open.add(0, candidacy);
    }

    /** Leads for a while, and resigns. */
    private void leadAndHandOver(Leadership leadership) throws InterruptedException {
        if (!new CountDownLatch(1).await(TERM.toNanos(), TimeUnit.NANOSECONDS) && leadership.holds()) {
            handedOver.incrementAndGet();
        }
    }

    /** Two that hold at one instant, or a token that is not greater than one before. */
    private void watch() {
        long greatest = 0;
        while (!over) {
            List<Leadership> holding = new ArrayList<>();
            candidacies.forEach(
                    one -> one.leadership().filter(Leadership::holds).ifPresent(holding::add));
            for (Leadership first : holding) {
                long token = first.token().value();
                if (token < greatest && first.holds()) {
                    wrong.add("token " + token + " leads after " + greatest);
                }
                greatest = Math.max(greatest, token);
                for (Leadership second : holding) {
                    if (first != second && second.holds() && first.holds()) {
                        wrong.add("two lead at once: " + first.term() + " and " + second.term());
                    }
                }
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }
}
