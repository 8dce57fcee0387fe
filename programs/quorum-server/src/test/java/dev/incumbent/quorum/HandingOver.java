package dev.incumbent.quorum;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.quorum.QuorumCoordinatorProvider;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.SessionEffect;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.SessionState;
import dev.incumbent.protocol.Step;
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

/** Five candidates of one election on a quorum. Each leads for a while and resigns; a term that ends otherwise was lost. */
final class HandingOver implements AutoCloseable {
    static final Duration TERM = Duration.ofSeconds(2);
    private static final int CANDIDATES = 5;

    private final SystemTimeline time = new SystemTimeline();
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final AtomicInteger handedOver = new AtomicInteger();
    private final AtomicInteger granted = new AtomicInteger();
    private volatile int grantedAtFirst;
    private volatile boolean over;

    /** Each with a client of its own of that URI, and a lease of that length; returns when a first term was handed over. */
    HandingOver(String uri, Duration lease) {
        Timing timing = Timing.ofLease(lease);
        String office = "office/" + UUID.randomUUID();
        for (int i = 1; i <= CANDIDATES; i++) {
            Coordinator coordinator =
                    new QuorumCoordinatorProvider().open(uri, time, timing.requestTimeout(), Mode.CREATE);
            Elections elections = Elections.over(coordinator)
                    .name("c" + i)
                    .timing(timing)
                    .timeline(time)
                    .trace(new Leases())
                    .open();
            Candidacy candidacy = elections.election(office).campaign(this::leadAndHandOver);
            open.addAll(List.of(candidacy, elections, coordinator));
        }
        Waiting.until("a first term that was handed over", () -> handedOver.get() > 0);
        Waiting.until("a lease of each", () -> granted.get() >= CANDIDATES);
        lost.clear();
        troubles.clear();
        grantedAtFirst = granted.get();
    }

    private final class Leases implements Trace {
        @Override
        public void sessionStepped(SessionEvent event, Step<SessionState, SessionEffect> step, Moment at) {
            if (event instanceof SessionEvent.Granted) {
                granted.incrementAndGet();
            } else if (event instanceof SessionEvent.Died || event instanceof SessionEvent.KeepAliveFailed) {
                troubles.add(event.toString());
            }
        }
    }

    /** Leads for a while, and resigns. */
    private void leadAndHandOver(Leadership leadership) {
        try {
            if (!new CountDownLatch(1).await(TERM.toNanos(), TimeUnit.NANOSECONDS) && leadership.holds()) {
                handedOver.incrementAndGet();
                return;
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        if (!over) {
            lost.add(leadership.toString());
        }
    }

    /** Terms that were lost. */
    List<String> lost() {
        return lost;
    }

    /** Terms that were handed over. */
    int handedOver() {
        return handedOver.get();
    }

    /** Leases that ended although their candidate lived: each candidate that loses one is granted another. */
    int leasesThatEnded() {
        return granted.get() - grantedAtFirst;
    }

    /** What befell leases, in the order in which it was heard of. */
    List<String> troubles() {
        return troubles;
    }

    @Override
    public void close() {
        over = true;
        open.forEach(HandingOver::close);
        time.close();
    }

    private static void close(AutoCloseable one) {
        try {
            one.close();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
