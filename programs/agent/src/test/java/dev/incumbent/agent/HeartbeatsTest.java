package dev.incumbent.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.PlainHttp.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Heartbeats that wait, and owners that send none, in real time. */
@Tag("realtime")
@Timeout(120)
class HeartbeatsTest {
    private static final String JOB = "/v1/elections/job";

    @TempDir
    Path folder;

    private AgentAtWork work;

    @BeforeEach
    void start() throws IOException {
        work = new AgentAtWork(folder, Duration.ofSeconds(40));
    }

    @AfterEach
    void end() {
        work.close();
    }

    @Test
    void newsAreToldWithoutAWait() {
        LocalOwner owner = work.owner("job", 40_000);
        Await.until(
                "its term begins",
                () -> work.socket().get(JOB).json().at("here").names().contains("token"));
        long asked = System.nanoTime();

        assertThat(owner.beat("?wait=20s", "").json().at("leads").flag()).isTrue();

        assertThat(millisSince(asked)).isLessThan(10_000);
    }

    @Test
    void aSecondHeartbeatAnswersTheOneThatWaits() throws Exception {
        work.owner("job", 40_000).awaitLead();
        LocalOwner second = work.owner("job", 40_000);
        long asked = System.nanoTime();
        CompletableFuture<Answer> waits = CompletableFuture.supplyAsync(() -> second.beat("?wait=20s", ""));

        Await.until("it is answered", () -> second.beat().status() == 200 && waits.isDone());

        assertThat(millisSince(asked)).isLessThan(10_000);
        assertThat(waits.get().json().at("place").number()).isEqualTo(2);
    }

    @Test
    void anOwnerThatWaitsForNewsWasHeardWhenItAsked() {
        work.owner("job", 40_000).awaitLead();
        LocalOwner second = work.owner("job", 2000);
        assertThat(second.beat().status()).isEqualTo(200);
        long heard = System.nanoTime();
        Await.until("most of its time to live has passed", () -> millisSince(heard) > 1500);

        assertThat(second.beat("?wait=1s", "").status()).isEqualTo(200);
    }

    @Test
    void anOwnerThatIsSilentIsWithdrawnThoughNobodyAsks() {
        long stood = System.nanoTime();
        work.owner("job", 2000);

        Await.punctually(stood, Duration.ofSeconds(2), "nobody stands", () -> owners() == 0);
    }

    private int owners() {
        return work.socket().get(JOB).json().at("here").at("owners").items().size();
    }

    private static long millisSince(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
    }
}
