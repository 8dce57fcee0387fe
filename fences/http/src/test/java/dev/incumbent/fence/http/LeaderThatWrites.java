package dev.incumbent.fence.http;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Candidates of one election that lead in turn, each for a while, and write to a fenced service: {@code TOKEN NUMBER}. */
final class LeaderThatWrites implements AutoCloseable {
    private static final int CANDIDATES = 3;
    private static final Duration TERM = Duration.ofSeconds(2);
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(9));
    private static final Duration BETWEEN_WRITES = Duration.ofMillis(20);

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final HttpClient client = HttpClient.newHttpClient();
    private final ElectionName office;
    private final URI ledger;
    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<String> sent = new CopyOnWriteArrayList<>();
    private final List<String> acknowledged = new CopyOnWriteArrayList<>();
    private final List<String> lost = new CopyOnWriteArrayList<>();
    private final AtomicInteger handedOver = new AtomicInteger();
    private volatile boolean over;

    /** Returns when a first term was handed over. */
    LeaderThatWrites(String service, ElectionName office, Sink sink) {
        this.office = office;
        ledger = URI.create(service + "/ledger");
        for (int i = 1; i <= CANDIDATES; i++) {
            MemoryCoordinator coordinator = MemoryCoordinator.connect(store, time, TIMING.requestTimeout());
            Elections elections = Elections.over(coordinator)
                    .name("c" + i)
                    .timing(TIMING)
                    .timeline(time)
                    .open();
            Candidacy candidacy =
                    elections.election(office.value()).guarding(sink).campaign(this::writeAndHandOver);
            open.addAll(List.of(candidacy, elections, coordinator));
        }
        Waiting.until("a first term that was handed over", () -> handedOver.get() > 0);
    }

    private void writeAndHandOver(Leadership leadership) {
        long end = time.nanos() + TERM.toNanos();
        for (int number = 0; time.nanos() < end; number++) {
            if (!leadership.holds()) {
                note("lost: " + leadership);
                return;
            }
            write(leadership, leadership.token() + " " + number);
            LockSupport.parkNanos(BETWEEN_WRITES.toNanos());
        }
        handedOver.incrementAndGet();
    }

    private void write(Leadership leadership, String line) {
        FencedRequest request = new FencedRequest(HttpRequest.newBuilder(ledger)
                .timeout(Duration.ofSeconds(5))
                .POST(HttpRequest.BodyPublishers.ofString(line + "\ncommit\n")));
        try {
            request.admit(office, leadership.token());
            sent.add(line);
            if (request.send(client).statusCode() == 200) {
                acknowledged.add(line);
            }
        } catch (FenceException | IOException e) {
            note("the leader's write " + line + " failed: " + e);
        } catch (InterruptedException e) {
            note("interrupted: " + leadership);
        }
    }

    private void note(String what) {
        if (!over) {
            lost.add(what);
        }
    }

    /** What was written or tried. */
    List<String> sent() {
        return sent;
    }

    /** What the service says that it has written. */
    List<String> acknowledged() {
        return acknowledged;
    }

    /** Terms and writes that failed. */
    List<String> lost() {
        return lost;
    }

    int handedOver() {
        return handedOver.get();
    }

    /** Nobody leads or writes any more. */
    void end() {
        over = true;
        for (AutoCloseable one : open) {
            try {
                one.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
        open.clear();
    }

    @Override
    public void close() {
        end();
        time.close();
    }
}
