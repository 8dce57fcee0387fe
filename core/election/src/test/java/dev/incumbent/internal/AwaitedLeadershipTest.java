package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Candidacy;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.memory.MemoryStore;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whoever waits until a candidacy leads, over the shipped driver in virtual time. */
@Timeout(30)
class AwaitedLeadershipTest {
    private static final Duration LEASE = OneProcess.TIMING.lease();
    private static final Duration LONG = Duration.ofSeconds(20);

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final OneProcess a = new OneProcess(platform, store, "a", Trace.NONE);
    private final OneProcess b = new OneProcess(platform, store, "b", Trace.NONE);

    @Test
    void whoWaitsIsToldOfTheTermThatBeginsAndWhoAsksThenOfTheSame() throws Exception {
        Candidacy candidacy = a.election("job").campaign();
        CompletableFuture<Leadership> waited = candidacy.whenLeading().toCompletableFuture();
        assertThat(waited).isNotDone();

        platform.pass(Duration.ofMillis(20));

        assertThat(waited).isCompleted();
        assertThat(waited.join().holds()).isTrue();
        assertThat(waited.join().term().number()).isEqualTo(1);
        assertThat(candidacy.whenLeading().toCompletableFuture()).isCompletedWithValue(waited.join());
        assertThat(candidacy.awaitLeadership()).isSameAs(waited.join());
        assertThat(candidacy.awaitLeadership(Duration.ZERO)).containsSame(waited.join());
    }

    @Test
    void theSecondWaitsUntilTheFirstHasResigned() throws Exception {
        Candidacy first = a.election("job").campaign();
        platform.pass(Duration.ofMillis(20));
        Candidacy second = b.election("job").campaign();
        CompletableFuture<Leadership> waited = second.whenLeading().toCompletableFuture();
        platform.pass(LEASE);
        assertThat(waited).isNotDone();
        assertThat(second.awaitLeadership(Duration.ofMillis(1))).isEmpty();

        first.resign();
        platform.pass(LEASE);

        assertThat(waited).isCompleted();
        assertThat(waited.join().term().leader().name()).isEqualTo("b");
        assertThat(second.awaitLeadership(LONG)).containsSame(waited.join());
    }

    @Test
    void aTermThatIsOverIsNotTheAnswerTheNextOneIs() {
        Candidacy candidacy = a.election("job").campaign();
        platform.pass(Duration.ofMillis(20));
        a.answers.put("swap", OneProcess.failing("not now", false));
        candidacy.resign();
        platform.run();

        CompletableFuture<Leadership> waited = candidacy.whenLeading().toCompletableFuture();
        assertThat(waited).isNotDone();
        a.answers.clear();
        platform.pass(LEASE.multipliedBy(2));

        assertThat(waited).isCompleted();
        assertThat(waited.join().term().number()).isEqualTo(2);
    }

    @Test
    void aTermWhoseGuardSaysNoIsNotTheAnswerUntilItSaysYesAgain() {
        Candidacy candidacy = a.election("job").campaign();
        platform.pass(Duration.ofMillis(20));
        a.answers.put("keepAlive", OneProcess.UNANSWERED);
        platform.time.advance(LEASE);
        assertThat(candidacy.leadership()).isEmpty();

        CompletableFuture<Leadership> waited = candidacy.whenLeading().toCompletableFuture();

        assertThat(waited).isNotDone();
        a.answers.clear();
        platform.pass(LEASE.multipliedBy(3));
        assertThat(waited).isCompleted();
        assertThat(waited.join().holds()).isTrue();
    }

    @Test
    void whoeverWaitsForACandidacyThatLeavesIsToldSo() throws Exception {
        a.election("job").campaign();
        platform.pass(Duration.ofMillis(20));
        Candidacy second = b.election("job").campaign();
        platform.pass(LEASE);
        CompletableFuture<Leadership> waited = second.whenLeading().toCompletableFuture();
        BlockingQueue<Throwable> thrown = new LinkedBlockingQueue<>();
        Thread waiting = new Thread(() -> {
            try {
                second.awaitLeadership();
            } catch (Exception e) {
                thrown.add(e);
            }
        });
        waiting.start();

        second.closeAsync();
        platform.pass(LEASE);

        assertThat(waited).isCompletedExceptionally();
        assertThat(thrown.poll(20, TimeUnit.SECONDS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this process has left job");
        assertThatThrownBy(second::awaitLeadership)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("this process has left job");
        assertThatThrownBy(() -> second.awaitLeadership(LONG)).isInstanceOf(IllegalStateException.class);
        assertThat(second.whenLeading().toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void anInterruptEndsTheWait() {
        Candidacy candidacy = a.election("job").campaign();
        Thread.currentThread().interrupt();

        assertThatThrownBy(candidacy::awaitLeadership).isInstanceOf(InterruptedException.class);
    }
}
