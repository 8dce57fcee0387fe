package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Elections;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program with a loop of its own, and a client that finds it. */
@Timeout(30)
class LedgerWorkerTest {
    private final Queue<String> lines = new ArrayDeque<>(List.of("one", "two"));

    @Test
    void itWorksOnceItLeadsAndAClientFindsIt(@TempDir Path folder) throws Exception {
        try (Office office = new Office(folder);
                Ledger ledger = new Ledger(office.ledger, "billing/closer");
                Elections watching =
                        Elections.connect(office.uri()).name("client").open();
                LedgerClient client = new LedgerClient(watching.election("billing/closer"));
                Elections elections = Elections.connect(office.uri())
                        .name("worker")
                        .address("10.0.0.4:8080")
                        .timing(Office.TIMING)
                        .open();
                Candidacy candidacy = elections
                        .election("billing/closer")
                        .guarding(office.sink())
                        .campaign()) {
            new LedgerWorker(candidacy, ledger, lines).work();

            assertThat(ledger.lines()).containsExactly("one", "two");
            while (!client.leader().equals("10.0.0.4:8080")) {
                Thread.sleep(5);
            }
        }
    }
}
