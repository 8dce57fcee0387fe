package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionListener;
import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an alert would stand on: each term that ends is counted once, by its reason. */
@Timeout(30)
class LostTermsTest {
    private final LostTerms lost = new LostTerms();
    private final CountDownLatch led = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);

    @Test
    void aTermThatIsResignedIsCountedOnceAndAsThat(@TempDir Path folder) throws Exception {
        try (Elections elections = Elections.connect("file:" + folder.resolve("coordinator.db"))
                        .listener(lost)
                        .listener(new Ends())
                        .open();
                Candidacy candidacy = elections.election("billing/closer").campaign(this::lead)) {
            assertThat(led.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(lost.count(EndReason.RESIGNED)).isZero();

            candidacy.resign();

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(lost.count(EndReason.RESIGNED)).isEqualTo(1);
            assertThat(lost.count(EndReason.LEASE_LOST)).isZero();
        }
    }

    private void lead(Leadership leadership) throws InterruptedException {
        led.countDown();
        new CountDownLatch(1).await();
    }

    /** Is told after the first listener. */
    private final class Ends implements ElectionListener {
        @Override
        public void onRevoked(Term term, EndReason reason) {
            told.countDown();
        }
    }
}
