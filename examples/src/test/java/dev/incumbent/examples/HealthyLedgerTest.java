package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.health.Beat;
import dev.incumbent.health.HealthMonitor;
import dev.incumbent.health.Rhythm;
import dev.incumbent.model.EndReason;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check of one's own, and work that hangs. */
class HealthyLedgerTest {
    private static final Rhythm QUICK =
            Rhythm.every(Duration.ofMillis(100)).within(Duration.ofSeconds(60)).after(2);

    @TempDir
    private Path folder;

    @Test
    void aLeaderWhoseReplicaLagsGivesUpAndSaysWhy() throws Exception {
        AtomicReference<Duration> lag = new AtomicReference<>(Duration.ZERO);
        try (Office office = new Office(folder);
                HealthMonitor monitor = HealthMonitor.asking(QUICK, HealthyLedger.replica(lag::get))
                        .quiet()
                        .start()) {
            monitor.awaitAnswers();
            assertThat(HealthyLedger.page(monitor)).isEqualTo("WELL the replica lags by 0 s");
            Candidacy candidacy = monitor.govern(
                    office.elections("a").election("billing/closer").campaign());
            Leadership leading = candidacy.awaitLeadership();

            lag.set(Duration.ofSeconds(40));

            assertThat(leading.ended().toCompletableFuture().get(60, TimeUnit.SECONDS))
                    .isEqualTo(EndReason.UNHEALTHY);
            assertThat(HealthyLedger.page(monitor)).isEqualTo("SICK the replica lags by 40 s");
        }
    }

    @Test
    void workThatHangsIsTakenFromItsLeader() throws Exception {
        Beat beat = Beat.within(Duration.ofSeconds(1));
        CountDownLatch interrupted = new CountDownLatch(1);
        HealthyLedger.LedgerLines hanging = new HealthyLedger.LedgerLines() {
            @Override
            public boolean more() {
                return true;
            }

            @Override
            public void append(Leadership leadership) throws InterruptedException {
                try {
                    new CountDownLatch(1).await();
                } finally {
                    interrupted.countDown();
                }
            }
        };
        try (Office office = new Office(folder);
                HealthMonitor monitor =
                        HealthMonitor.asking(QUICK, beat).quiet().start()) {
            monitor.awaitAnswers();
            monitor.govern(
                    office.elections("a").election("billing/closer").campaign(HealthyLedger.beating(beat, hanging)));

            assertThat(interrupted.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }
}
