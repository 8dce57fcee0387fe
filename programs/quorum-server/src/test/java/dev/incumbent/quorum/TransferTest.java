package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Timing;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The nodes' leadership is moved by command while clients write and lead. */
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class TransferTest {
    private static final int TRANSFERS = 6;
    private static final int WRITERS = 4;
    private static final Duration BETWEEN_WRITES = Duration.ofMillis(5);

    @Test
    void noAnswerIsLostOrMisreadAndTermsGoOn() throws InterruptedException {
        try (NodesHere nodes = NodesHere.start(NodesHere.Access.OPEN);
                Elections elections = Elections.over(nodes.open(nodes.uri()))
                        .name("ada")
                        .timing(Timing.ofLease(Duration.ofSeconds(16)))
                        .open();
                Candidacy candidacy = elections.election("transfer/office").campaign(TransferTest::untilInterrupted)) {
            Waiting.until("a leader", () -> candidacy.leadership().isPresent());
            Leadership leadership = candidacy.leadership().orElseThrow();
            List<Writer> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                writers.add(new Writer(nodes.open(nodes.uri())));
            }

            for (int i = 0; i < TRANSFERS; i++) {
                move(nodes, i);
                writers.forEach(Writer::awaitProgress);
            }

            for (Writer writer : writers) {
                assertThat(writer.end()).isEmpty();
            }
            assertThat(leadership.holds()).isTrue();
            assertThat(candidacy.leadership()).contains(leadership);
        }
    }

    /** To the next member in turn that does not lead; asked again, as a person would, where it did not come about. */
    private static void move(NodesHere nodes, int turn) {
        Member to = nodes.members().stream()
                .filter(member -> !leads(member))
                .toList()
                .get(turn % 2);
        Waiting.until("the leadership of " + to.name(), () -> {
            nodes.members().stream()
                    .filter(TransferTest::leads)
                    .filter(member -> !member.equals(to))
                    .forEach(member -> Calling.post(member.port(), "/v1/transfer/" + to.name(), "", Optional.empty()));
            return leads(to);
        });
    }

    private static boolean leads(Member member) {
        return Calling.post(member.port(), "/v1/status", "", Optional.empty())
                .body()
                .contains("\"leads\":true");
    }

    private static void untilInterrupted(Leadership leadership) throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** Writes one election over and over, alone, and holds every answer against what is there. */
    private static final class Writer implements Runnable {
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
}
