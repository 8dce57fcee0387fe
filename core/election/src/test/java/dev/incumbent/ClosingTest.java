package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** How a process leaves its elections: never under a task that still runs, and never for longer than it says. */
@Tag("patient")
class ClosingTest {

    private final SystemTimeline time = new SystemTimeline();
    private final Timing timing;
    private final MemoryStore store = new MemoryStore(time);
    private final CountDownLatch released = new CountDownLatch(1);

    ClosingTest(TestInfo test) {
        timing = TestTiming.of(test);
    }

    @AfterEach
    void closeTime() {
        released.countDown();
        time.close();
    }

    @Test
    @Tag("realtime")
    void anInterruptCutsTheWaitAloneAndNoSuccessorLeadsUnderTheTask() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        Elections a = elections("a");
        a.election("job").campaign(stubborn(begun));
        take(begun);

        try (Elections b = elections("b")) {
            b.election("job").campaign(begun::add);
            Thread.currentThread().interrupt();
            long from = time.nanos();
            a.close();

            assertThat(Thread.interrupted()).as("the interrupt stays set").isTrue();
            assertThat(time.nanos() - from).isLessThan(Duration.ofMillis(500).toNanos());
            assertThat(begun.poll(1, TimeUnit.SECONDS))
                    .as("nobody leads within the stop budget and half a lease of it")
                    .isNull();
            Leadership next = take(begun);
            assertThat(next.term().leader().name()).isEqualTo("b");
            assertThat(time.nanos() - from)
                    .as("the lease was not revoked: it lapsed, after keep-alives had stopped")
                    .isGreaterThan(Duration.ofMillis(1_300).toNanos());
        }
    }

    @Test
    @Tag("realtime")
    void closingNamesTheTasksThatStillRunOnceItsTimeIsUp() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        Elections a = elections("a");
        a.election("job").campaign(stubborn(begun));
        a.election("other").campaign(leadership -> {
            begun.add(leadership);
            new CompletableFuture<Void>().get();
        });
        take(begun);
        take(begun);

        Set<Term> running = a.closeAsync().toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThat(running)
                .singleElement()
                .satisfies(term -> assertThat(term.election().value()).isEqualTo("job"));
        assertThat(a.closeAsync().toCompletableFuture().get(1, TimeUnit.SECONDS))
                .isEqualTo(running);
    }

    @Test
    void closingTellsNobodyWhereAllTasksHaveReturnedAndASuccessorNeedNotWait() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        Elections a = elections("a");
        a.election("job").campaign(leadership -> {
            begun.add(leadership);
            new CompletableFuture<Void>().get();
        });
        take(begun);

        assertThat(a.closeAsync().toCompletableFuture().get(5, TimeUnit.SECONDS))
                .isEmpty();

        try (Elections b = elections("b")) {
            long from = time.nanos();
            b.election("job").campaign(begun::add);
            take(begun);
            assertThat(time.nanos() - from)
                    .isLessThan(timing.lease().dividedBy(2).toNanos());
        }
    }

    @Test
    @Tag("realtime")
    void aTaskThatClosesItsOwnElectionsDoesNotWaitForItself() throws Exception {
        CompletableFuture<Duration> took = new CompletableFuture<>();
        Elections a = elections("a");
        a.election("job").campaign(leadership -> {
            long from = time.nanos();
            a.close();
            took.complete(Duration.ofNanos(time.nanos() - from));
        });

        assertThat(took.get(5, TimeUnit.SECONDS)).isLessThan(Duration.ofMillis(300));
        assertThat(a.closeAsync().toCompletableFuture().get(5, TimeUnit.SECONDS))
                .isEmpty();
    }

    @Test
    void whoStandsAgainRightAfterClosingLeadsAgainWithAGreaterToken() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        try (Elections a = elections("a")) {
            Candidacy first = a.election("job").campaign(holding(begun));
            Leadership one = take(begun);
            first.closeAsync();

            Candidacy second = a.election("job").campaign(holding(begun));
            Leadership two = take(begun);

            assertThat(two.token().value()).isGreaterThan(one.token().value());
            assertThat(second.health().trouble()).isEmpty();
            assertThat(one.holds()).isFalse();
        }
    }

    @Test
    void whoStandsTwiceIsToldAtOnceAndWhoStandsAfterTheEndToo() {
        Elections a = elections("a");
        a.election("job").campaign();

        assertThatThrownBy(() -> a.election("job").campaign())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("stands in job already");
        a.close();
        assertThatThrownBy(() -> a.election("job").campaign())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    @Test
    @Tag("realtime")
    void whoWaitsForAResignationOrATransferHearsThatTheProcessHasLeft() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        var ledger = new dev.incumbent.fence.memory.MemoryStore(new SinkId("ledger"));
        Elections a = elections("a");
        Candidacy candidacy = a.election("job")
                .guarding(new MemorySink(ledger, time, Duration.ofSeconds(1)))
                .campaign(stubborn(begun));
        take(begun);

        CompletionStage<Void> resigned = candidacy.resign();
        CompletionStage<Transfer> transferred = candidacy.transferTo(new CandidateId("b"));
        a.closeAsync().toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThatThrownBy(() -> resigned.toCompletableFuture().get(10, TimeUnit.SECONDS))
                .hasMessageContaining("this process left job before its task had returned");
        assertThat(transferred.toCompletableFuture().get(10, TimeUnit.SECONDS)).isInstanceOf(Transfer.Aborted.class);
        assertThat(candidacy.resign().toCompletableFuture())
                .as("asked after the end")
                .isCompletedExceptionally();
    }

    @Test
    @Tag("realtime")
    void whoHasLeftTakesItsNameOffARecordThatWasRestored() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        try (Elections a = elections("a");
                Elections b = elections("b")) {
            a.election("other").campaign(holding(begun));
            Candidacy left = a.election("job").campaign(holding(begun));
            take(begun);
            take(begun);
            MemoryStore.Backup backup = store.backup();
            left.closeAsync().toCompletableFuture().get(5, TimeUnit.SECONDS);

            store.restore(backup);
            b.election("job").campaign(begun::add);

            assertThat(take(begun).term().leader().name())
                    .as("the lease lives on for the other election, and its record would name a for ever")
                    .isEqualTo("b");
        }
    }

    private LeaderTask stubborn(BlockingQueue<Leadership> begun) {
        return leadership -> {
            begun.add(leadership);
            while (released.getCount() > 0) {
                try {
                    released.await();
                } catch (InterruptedException ignoredAsABadTaskWould) {
                    Thread.interrupted();
                }
            }
        };
    }

    private static LeaderTask holding(BlockingQueue<Leadership> begun) {
        return leadership -> {
            begun.add(leadership);
            new CompletableFuture<Void>().get();
        };
    }

    private Elections elections(String name) {
        return Elections.over(MemoryCoordinator.connect(store, time, timing.requestTimeout()))
                .name(name)
                .timing(timing)
                .timeline(time)
                .open();
    }

    private static Leadership take(BlockingQueue<Leadership> begun) throws InterruptedException {
        Leadership next = begun.poll(30, TimeUnit.SECONDS);
        assertThat(next).as("a term that begins within 30 s").isNotNull();
        return java.util.Objects.requireNonNull(next);
    }
}
