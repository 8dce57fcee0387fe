package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.model.EndReason;
import dev.incumbent.outcome.RequestedTransfer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Leadership handed to a named successor, as before a restart or a deployment. */
@Timeout(30)
class TransferTest {
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    @Test
    void theNamedCandidateLeadsNextThoughAnotherStandsBeforeIt() throws Exception {
        try (Office office = new Office(folder)) {
            Elections ada = office.elections("ada");
            ada.election("primary").campaign(office::leadUntilInterrupted);
            Leadership adas = office.begun.take();
            office.elections("bob").election("primary").campaign(office::leadUntilInterrupted);
            office.elections("cleo").election("primary").campaign(office::leadUntilInterrupted);
            while (ada.admin("primary")
                            .status()
                            .toCompletableFuture()
                            .join()
                            .candidates()
                            .size()
                    < 3) {
                LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            }

            RequestedTransfer outcome = ada.admin("primary")
                    .transferTo("cleo", PATIENCE)
                    .toCompletableFuture()
                    .join();

            Leadership cleos = office.begun.take();
            assertThat(outcome).isInstanceOf(RequestedTransfer.Transferred.class);
            assertThat(cleos.term().leader().name()).isEqualTo("cleo");
            assertThat(cleos.previousTerm().orElseThrow().reason()).isEqualTo(EndReason.TRANSFERRED);
            assertThat(adas.holds()).isFalse();
        }
    }
}
