package dev.incumbent.benchmarks;

import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What a leader pays for asking its guard: the shipped guard of a real leadership, over the clocks of this machine. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls what is annotated @Setup before anything else
public class GuardBenchmark {
    /** So long a lease that no renewal falls into the measurement: what is allocated is the guard's. */
    private static final Duration QUIET = Duration.ofHours(3);

    private SystemTimeline timeline = new SystemTimeline();
    private MemoryCoordinator coordinator = MemoryCoordinator.connect(new MemoryStore(timeline), timeline, QUIET);
    private Elections elections = Elections.over(coordinator)
            .timeline(timeline)
            .timing(Timing.ofLease(QUIET))
            .open();
    private CompletableFuture<Leadership> led = new CompletableFuture<>();
    private Leadership leadership;

    /** Leads. */
    @Setup
    public void lead() {
        elections.election("benchmark").campaign(this::untilInterrupted);
        leadership = led.join();
    }

    /** {@code Guard.holds()}: both clocks are read at the call. */
    @Benchmark
    public boolean holds() {
        return leadership.holds();
    }

    /** The monotonic clock alone, for comparison: nothing that asks the time is cheaper. */
    @Benchmark
    public long nanoTimeAlone() {
        return timeline.nanos();
    }

    /** The wall clock alone, for comparison. */
    @Benchmark
    public long wallClockAlone() {
        return timeline.wallMillis();
    }

    /** Ends the leadership. */
    @TearDown
    public void end() {
        elections.close();
        coordinator.close();
        timeline.close();
    }

    private void untilInterrupted(Leadership current) throws InterruptedException {
        led.complete(current);
        SystemTimeline.sleep(Duration.ofDays(1));
    }
}
