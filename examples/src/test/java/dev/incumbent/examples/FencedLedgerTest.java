package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.fence.StaleTokenException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a fence is for: the leader of the past is refused by the ledger itself. */
@Timeout(30)
class FencedLedgerTest {
    @TempDir
    Path folder;

    private Office office;

    @BeforeEach
    void open() {
        office = new Office(folder);
    }

    @AfterEach
    void close() {
        office.close();
    }

    @Test
    void aLateWriteIsRefusedAlthoughItsSuccessorHasNotWrittenYet() throws Exception {
        Candidacy first = office.elections("ada")
                .election("billing/closer")
                .guarding(office.sink())
                .campaign(office::leadUntilInterrupted);
        Leadership adas = office.begun.take();
        office.elections("bob")
                .election("billing/closer")
                .guarding(office.sink())
                .campaign(office::leadUntilInterrupted);
        first.resign();
        Leadership bobs = office.begun.take();

        try (Ledger ledger = new Ledger(office.ledger, "billing/closer")) {
            assertThatThrownBy(() -> ledger.append("ada's late line", adas.token()))
                    .isInstanceOf(StaleTokenException.class);
            ledger.append("bob's line", bobs.token());

            assertThat(ledger.lines()).containsExactly("bob's line");
        }
    }

    @Test
    void theReadmesExampleAppendsAllThereIs() throws Exception {
        Queue<String> lines = new ConcurrentLinkedQueue<>(List.of("one", "two", "three"));
        try (Ledger ledger = new Ledger(office.ledger, "billing/closer");
                Ledger reader = new Ledger(office.ledger, "billing/closer")) {
            LedgerCloser closer = new LedgerCloser(office.uri(), office.sink(), ledger, lines);
            Thread program = new Thread(() -> run(closer));
            program.start();

            while (reader.lines().size() < 3) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }
            closer.shutDown();
            program.join();

            assertThat(reader.lines()).containsExactly("one", "two", "three");
        }
    }

    private static void run(LedgerCloser closer) {
        try {
            closer.run();
        } catch (InterruptedException nobodyInterrupts) {
            throw new AssertionError(nobodyInterrupts);
        }
    }
}
