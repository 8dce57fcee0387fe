package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
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

/** Whatever the code of one election's user does, the others' terms are renewed. */
@Tag("realtime")
class UserCodeTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(1));

    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final CountDownLatch released = new CountDownLatch(1);

    @AfterEach
    void closeTime() {
        released.countDown();
        time.close();
    }

    @Test
    void aListenerThatThrowsDisturbsNoTerm() throws Exception {
        theOtherTermOutlivesThreeLeases(leadership -> leadership.onRenewed(validity -> {
            throw new IllegalStateException("a listener that throws");
        }));
    }

    @Test
    void aListenerThatBlocksDisturbsNoTerm() throws Exception {
        theOtherTermOutlivesThreeLeases(leadership -> leadership.onRenewed(validity -> awaitRelease()));
    }

    @Test
    void whatDependsOnAStageAndBlocksDisturbsNoTerm() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        try (Elections a = elections(Trace.NONE)) {
            Candidacy one = a.election("one").campaign();
            a.election("other").campaign(holding(begun));
            Leadership other = take(begun);
            Thread here = Thread.currentThread();
            awaitLeading(one).ended().thenRun(() -> awaitReleaseUnlessOn(here));
            one.resign().thenRun(() -> awaitReleaseUnlessOn(here));

            assertThat(holdsForThreeLeases(other)).isTrue();
        }
    }

    @Test
    void aTraceThatThrowsOrBlocksDisturbsNoTerm() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        Trace blocking = new Trace() {
            @Override
            public void stepped(ElectionName election, Event event, Step<ElectionState, Effect> step, Moment at) {
                if (event instanceof Event.Campaigned) {
                    throw new IllegalStateException("a trace that throws");
                }
                awaitRelease();
            }
        };
        try (Elections a = elections(blocking)) {
            a.election("other").campaign(holding(begun));

            assertThat(holdsForThreeLeases(take(begun))).isTrue();
        }
    }

    @Test
    void aSinkThatThrowsAtOnceDisturbsNoOtherTerm() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        Sink throwing = new ThrowsAtMarks(new MemorySink(
                new dev.incumbent.fence.memory.MemoryStore(new SinkId("ledger")), time, Duration.ofSeconds(1)));
        try (Elections a = elections(Trace.NONE)) {
            a.election("one").guarding(throwing).campaign(holding(begun));
            a.election("other").campaign(holding(begun));
            Leadership first = take(begun);
            Leadership second = take(begun);

            assertThat(holdsForThreeLeases(first)).isTrue();
            assertThat(second.holds()).isTrue();
        }
    }

    @Test
    void aRecordWithTheLastNumberThereIsDisturbsNoOtherTermAndIsTold() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        ElectionName one = new ElectionName("one");
        MemoryCoordinator hand = MemoryCoordinator.connect(store, time, Duration.ofSeconds(1));
        LeaderRecord last =
                LeaderRecord.EMPTY.vacated(Long.MAX_VALUE, Instant.EPOCH).written("by-hand:1");
        hand.swap(one, Revision.ABSENT, last).toCompletableFuture().get(1, TimeUnit.SECONDS);
        try (Elections a = elections(Trace.NONE)) {
            Candidacy stuck = a.election("one").campaign();
            a.election("other").campaign(holding(begun));

            assertThat(holdsForThreeLeases(take(begun))).isTrue();
            assertThat(stuck.health().trouble())
                    .hasValueSatisfying(t -> assertThat(t).contains("overflow"));
        }
    }

    @Test
    void aTransferToItselfIsAborted() throws Exception {
        try (Elections a = elections(Trace.NONE)) {
            Candidacy one = a.election("one").campaign();
            awaitLeading(one);

            CandidateId me = a.candidate().id();
            Transfer transfer = one.transferTo(me).toCompletableFuture().get(2, TimeUnit.SECONDS);

            assertThat(transfer)
                    .isInstanceOfSatisfying(
                            Transfer.Aborted.class,
                            aborted -> assertThat(aborted.why()).contains("leads already"));
            assertThat(one.leadership()).isPresent();
        }
    }

    @Test
    void aTaskThatEndsByItsInterruptIsNoTrouble() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        try (Elections a = elections(Trace.NONE)) {
            Candidacy one = a.election("one").campaign(holding(begun));
            Leadership first = take(begun);
            one.resign().toCompletableFuture().get(5, TimeUnit.SECONDS);
            take(begun);

            assertThat(first.ended().toCompletableFuture().get(1, TimeUnit.SECONDS))
                    .isEqualTo(EndReason.RESIGNED);
            assertThat(one.health().trouble()).isEmpty();
        }
    }

    private void theOtherTermOutlivesThreeLeases(LeaderTask disturbing) throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        try (Elections a = elections(Trace.NONE)) {
            a.election("one").campaign(leadership -> {
                disturbing.lead(leadership);
                begun.add(leadership);
                new CompletableFuture<Void>().get();
            });
            Leadership one = take(begun);
            a.election("other").campaign(holding(begun));
            Leadership other = take(begun);

            assertThat(holdsForThreeLeases(other)).isTrue();
            assertThat(one.holds()).as("its own term, too").isTrue();
        }
    }

    private boolean holdsForThreeLeases(Leadership leadership) {
        try {
            leadership.ended().toCompletableFuture().get(3 * TIMING.lease().toMillis(), TimeUnit.MILLISECONDS);
            return false;
        } catch (java.util.concurrent.TimeoutException stillLed) {
            return leadership.holds();
        } catch (InterruptedException | java.util.concurrent.ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    /** A stage that is complete already runs what depends on it at once, here. */
    private void awaitReleaseUnlessOn(Thread thread) {
        if (Thread.currentThread() != thread) {
            awaitRelease();
        }
    }

    private void awaitRelease() {
        try {
            released.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Leadership awaitLeading(Candidacy candidacy) throws InterruptedException {
        for (int i = 0; i < 1_000 && candidacy.leadership().isEmpty(); i++) {
            SystemTimeline.sleep(Duration.ofMillis(10));
        }
        return candidacy.leadership().orElseThrow();
    }

    private Elections elections(Trace trace) {
        return Elections.over(MemoryCoordinator.connect(store, time, TIMING.requestTimeout()))
                .name("a")
                .timing(TIMING)
                .timeline(time)
                .trace(trace)
                .open();
    }

    private static LeaderTask holding(BlockingQueue<Leadership> begun) {
        return leadership -> {
            begun.add(leadership);
            new CompletableFuture<Void>().get();
        };
    }

    private static Leadership take(BlockingQueue<Leadership> begun) throws InterruptedException {
        return Objects.requireNonNull(begun.poll(10, TimeUnit.SECONDS), "no term begins within 10 s");
    }

    /** A sink whose marks cannot be read: it throws at once, as no sink should. */
    private record ThrowsAtMarks(Sink whole) implements Sink {
        @Override
        public CompletionStage<SinkId> id() {
            return whole.id();
        }

        @Override
        public String label() {
            return whole.label();
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
            return whole.raise(election, mark);
        }

        @Override
        public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
            throw new IllegalStateException("a sink that throws at once");
        }

        @Override
        public CompletionStage<MarksRead> marks() {
            throw new IllegalStateException("a sink that throws at once");
        }

        @Override
        public void close() {
            whole.close();
        }
    }
}
