package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Term;
import dev.incumbent.time.VirtualTimeline;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who waits, and who never does. */
class ThreadsTest {
    private static final Duration LONG = Duration.ofSeconds(10);

    private final VirtualTimeline timeline = new VirtualTimeline();
    private final VirtualTimeline stops = new VirtualTimeline();
    private final AtomicInteger closed = new AtomicInteger();
    private final Threads threads =
            new Threads(timeline, stops, TaskRules.DEFAULT, Optional.empty(), closed::incrementAndGet);
    private final BlockingQueue<Object> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void renewalAndStopsHaveTheirOwnClocks() {
        assertThat(threads.timeline()).isSameAs(timeline);
        assertThat(threads.stops()).isSameAs(stops);
    }

    @Test
    void whoWaitsGoesOnOnceItIsDoneHoweverItEnded() {
        threads.await(CompletableFuture.completedStage(1), LONG);
        threads.await(CompletableFuture.failedStage(new IllegalStateException("failed")), LONG);
    }

    @Test
    void whoWaitsInVainWaitsForTheBoundAlone() {
        long from = System.nanoTime();

        threads.await(new CompletableFuture<Void>(), Duration.ofMillis(30));

        assertThat(Duration.ofNanos(System.nanoTime() - from)).isBetween(Duration.ofMillis(30), LONG);
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() {
        Thread.currentThread().interrupt();

        threads.await(new CompletableFuture<Void>(), LONG.multipliedBy(6));

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void noThreadOfOursWaits() throws Exception {
        onAThreadThatIsNoDaemon(() -> threads.userCode().execute(this::awaitForEver));
        assertThat(next()).isEqualTo("incumbent-listeners, a daemon, waited not");

        onAThreadThatIsNoDaemon(() -> {
            Strand strand = threads.strand(() -> {}, Trace.NONE);
            strand.execute(this::awaitForEver);
            strand.close();
        });
        assertThat(next()).isEqualTo("incumbent-driver, a daemon, waited not");
    }

    /** A thread of user code is ours only while it runs a piece of it. */
    @Test
    void aThreadThatEndsItsPieceIsOursNoMore() throws Exception {
        threads.userCode().execute(() -> heard.add(Thread.currentThread()));
        Thread served = (Thread) next();
        threads.close();
        served.join(10_000);

        assertThat(served.isAlive()).as("threads end soon after the close").isFalse();
        assertThat(closed).hasValue(1);
    }

    @Test
    void aTaskRunsOnAThreadOfItsOwnWhichNeverWaitsAndTellsHowItEnded() throws Exception {
        Term term = new Term(new ElectionName("job"), 1, new Candidate(new CandidateId("a"), "a", ""));
        Leadership led = (Leadership) Proxy.newProxyInstance(
                Leadership.class.getClassLoader(), new Class<?>[] {Leadership.class}, (proxy, method, none) -> term);
        IllegalStateException failure = new IllegalStateException("broken");

        TaskRunner.Run good = threads.tasks().of(leadership -> awaitForEver(), led, heard::add);
        onAThreadThatIsNoDaemon(good::start);
        assertThat(next()).isEqualTo("incumbent-task-job, a daemon, waited not");
        assertThat(next()).isEqualTo(Optional.empty());

        TaskRunner.Run bad = threads.tasks()
                .of(
                        leadership -> {
                            throw failure;
                        },
                        led,
                        heard::add);
        bad.start();
        assertThat(next()).isEqualTo(Optional.of(failure));

        TaskRunner.Run stopped = threads.tasks().of(leadership -> new CompletableFuture<Void>().get(), led, heard::add);
        stopped.start();
        stopped.interrupt();
        assertThat(next())
                .asInstanceOf(InstanceOfAssertFactories.OPTIONAL)
                .containsInstanceOf(InterruptedException.class);
    }

    @Test
    void theStrandFlushesWhatWasCollected() throws Exception {
        Strand strand = threads.strand(() -> heard.add("flushed"), Trace.NONE);
        strand.execute(() -> heard.add("task"));

        assertThat(next()).isEqualTo("task");
        assertThat(next()).isEqualTo("flushed");
        strand.close();
    }

    /** A daemon's threads would be daemons anyway. */
    private static void onAThreadThatIsNoDaemon(Runnable piece) throws InterruptedException {
        Thread thread = new Thread(piece);
        thread.setDaemon(false);
        thread.start();
        thread.join(10_000);
    }

    private void awaitForEver() {
        Thread me = Thread.currentThread();
        threads.await(new CompletableFuture<Void>(), LONG.multipliedBy(6));
        heard.add(me.getName() + (me.isDaemon() ? ", a daemon," : "") + " waited not");
    }

    private Object next() throws InterruptedException {
        Object next = heard.poll(10, TimeUnit.SECONDS);
        return next == null ? "nothing within 10 s" : next;
    }
}
