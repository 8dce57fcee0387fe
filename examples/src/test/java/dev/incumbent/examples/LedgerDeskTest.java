package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.model.EndReason;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What others know as a latch: a candidacy that one asks, and that tells when it begins and ceases to lead. */
@Timeout(30)
class LedgerDeskTest {
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();

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
    void onlyTheDeskThatLeadsWritesAndAfterAResignationTheOther() throws Exception {
        try (Ledger ledger = new Ledger(office.ledger, "billing/closer")) {
            Candidacy adas = stand("ada");
            assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("ada leads");
            Candidacy bobs = stand("bob");
            LedgerDesk ada = new LedgerDesk(adas, ledger);
            LedgerDesk bob = new LedgerDesk(bobs, ledger);

            assertThat(ada.append("ada's line")).isTrue();
            assertThat(bob.append("bob's line, too early")).isFalse();

            adas.close();

            assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("ada leads no more: CLOSED");
            assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("bob leads");
            assertThat(ada.append("ada's line, too late")).isFalse();
            assertThat(bob.append("bob's line")).isTrue();
            assertThat(ledger.lines()).containsExactly("ada's line", "bob's line");
        }
    }

    private Candidacy stand(String name) {
        return office.elections(name)
                .election("billing/closer")
                .guarding(office.sink())
                .campaign(new Telling(name));
    }

    /** Hears both ends of each term. */
    private final class Telling implements TermListener {
        private final String name;

        Telling(String name) {
            this.name = name;
        }

        @Override
        public void onGranted(Leadership leadership) {
            told.add(name + " leads");
        }

        @Override
        public void onRevoked(Leadership leadership, EndReason reason) {
            told.add(name + " leads no more: " + reason);
        }
    }
}
