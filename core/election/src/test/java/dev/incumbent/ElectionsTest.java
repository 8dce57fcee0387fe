package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** The library over the reference coordinator, on real threads and real time. */
@Tag("patient")
class ElectionsTest {

    private final SystemTimeline time = new SystemTimeline();
    private final Timing timing;
    private final MemoryStore store = new MemoryStore(time);
    private final dev.incumbent.fence.memory.MemoryStore ledger =
            new dev.incumbent.fence.memory.MemoryStore(new SinkId("ledger"));

    ElectionsTest(TestInfo test) {
        timing = TestTiming.of(test);
    }

    @AfterEach
    void closeTime() {
        time.close();
    }

    @Test
    void aLoneCandidateLeadsTermOneAndResignsByReturning() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();

        try (Elections a = elections("a")) {
            Candidacy candidacy = a.election("job").campaign(begun::add);
            Leadership first = take(begun);
            EndReason reason = first.ended().toCompletableFuture().get(5, TimeUnit.SECONDS);

            assertThat(first.token()).isEqualTo(new FencingToken(1));
            assertThat(reason).isEqualTo(EndReason.RESIGNED);
            assertThat(first.holds()).isFalse();
            assertThat(candidacy.health().trouble()).isEmpty();
        }
    }

    @Test
    void theNextInLineLeadsWhenTheLeaderResignsAndTokensGrow() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();

        try (Elections a = elections("a");
                Elections b = elections("b")) {
            Candidacy first = a.election("job").guarding(sink()).campaign(holding(begun));
            Leadership one = take(begun);
            b.election("job").guarding(sink()).campaign(holding(begun));
            awaitInLine(2);
            first.resign().toCompletableFuture().get(5, TimeUnit.SECONDS);
            Leadership two = take(begun);

            assertThat(one.holds()).isFalse();
            assertThat(two.term().leader().name()).isEqualTo("b");
            assertThat(two.token().value()).isGreaterThan(one.token().value());
            assertThat(two.previousTerm().orElseThrow().reason()).isEqualTo(EndReason.RESIGNED);
        }
    }

    @Test
    void aTransferGoesToTheNamedSuccessor() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();

        try (Elections a = elections("a");
                Elections b = elections("b");
                Elections c = elections("c")) {
            Candidacy first = a.election("job").guarding(sink()).campaign(holding(begun));
            take(begun);
            b.election("job").guarding(sink()).campaign(holding(begun));
            c.election("job").guarding(sink()).campaign(holding(begun));
            awaitInLine(3);
            Transfer transfer =
                    first.transferTo(c.candidate().id()).toCompletableFuture().get(5, TimeUnit.SECONDS);
            Leadership two = take(begun);

            assertThat(transfer).isInstanceOf(Transfer.HandedOver.class);
            assertThat(two.term().leader().name()).isEqualTo("c");
        }
    }

    @Test
    @Tag("realtime")
    void aSilentLeaderIsSucceededAfterItsLeaseAndItsLateWriteIsRefused() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        CountDownLatch deaf = new CountDownLatch(1);
        MemoryCoordinator cut = MemoryCoordinator.connect(store, time, timing.requestTimeout());
        Elections a =
                Elections.over(cut).name("a").timing(timing).timeline(time).open();

        try (Elections b = elections("b")) {
            a.election("job").guarding(sink()).campaign(leadership -> {
                begun.add(leadership);
                while (deaf.getCount() > 0) {
                    try {
                        deaf.await();
                    } catch (InterruptedException ignoredAsABadTaskWould) {
                        Thread.interrupted();
                    }
                }
            });
            Leadership one = take(begun);
            b.election("job").guarding(sink()).campaign(holding(begun));
            cut.close();
            Leadership two = take(begun);

            assertThat(one.holds()).isFalse();
            assertThat(two.holds()).isTrue();
            ledger.write(new ElectionName("job"), two.token(), "by the successor");
            assertThat(writeRefused(one.token())).isTrue();
            deaf.countDown();
        }
        a.close();
    }

    @Test
    @Tag("realtime")
    void aTaskThatThrowsEndsItsTermAndTheLoopGoesOn() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();

        try (Elections a = elections("a")) {
            Candidacy candidacy = a.election("job").campaign(leadership -> {
                begun.add(leadership);
                throw new IllegalStateException("broken work");
            });
            Leadership one = take(begun);
            Leadership two = take(begun);

            assertThat(one.ended().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(EndReason.TASK_FAILED);
            assertThat(two.token().value()).isGreaterThan(one.token().value());
            assertThat(candidacy.health().trouble())
                    .hasValueSatisfying(t -> assertThat(t).contains("broken work"));
        }
    }

    @Test
    void closingReleasesAtOnceSoThatASuccessorNeedNotWaitForTheLease() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        Elections a = elections("a");
        a.election("job").campaign(holding(begun));
        take(begun);

        a.close();

        assertThat(store.backup()).isNotNull();
        try (Elections b = elections("b")) {
            long from = time.nanos();
            b.election("job").campaign(holding(begun));
            take(begun);
            assertThat(time.nanos() - from).isLessThan(timing.lease().toNanos() / 2);
        }
    }

    private boolean writeRefused(FencingToken token) throws Exception {
        try {
            ledger.write(new ElectionName("job"), token, "late");
            return false;
        } catch (StaleTokenException refused) {
            return true;
        }
    }

    private Elections elections(String name) {
        return Elections.over(MemoryCoordinator.connect(store, time, timing.requestTimeout()))
                .name(name)
                .timing(timing)
                .timeline(time)
                .open();
    }

    private MemorySink sink() {
        return new MemorySink(ledger, time, Duration.ofSeconds(1));
    }

    private static LeaderTask holding(BlockingQueue<Leadership> begun) {
        return leadership -> {
            begun.add(leadership);
            new CompletableFuture<Void>().get();
        };
    }

    private static Leadership take(BlockingQueue<Leadership> begun) throws InterruptedException {
        Leadership next = begun.poll(30, TimeUnit.SECONDS);
        assertThat(next).as("a term that begins within 30 s").isNotNull();
        return java.util.Objects.requireNonNull(next);
    }

    /** Waits until that many candidates are in line. */
    private void awaitInLine(int candidates) throws Exception {
        ElectionName job = new ElectionName("job");
        MemoryCoordinator seer = MemoryCoordinator.connect(store, time, timing.requestTimeout());
        for (int i = 0; i < 1_000; i++) {
            var lines = seer.candidates(Set.of(job)).toCompletableFuture().get(5, TimeUnit.SECONDS);
            if (lines.getOrDefault(job, List.of()).size() >= candidates) {
                return;
            }
            SystemTimeline.sleep(Duration.ofMillis(10));
        }
        throw new AssertionError("fewer than " + candidates + " candidates stand after 10 s");
    }
}
