package dev.incumbent.supervisor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Measures how long a command and its five awkward descendants live on after {@code kill -9} of the wrapper's JVM, or
 * of its supervisor. Prints median and maximum; fails only if something is left. Run by {@code benchmarks/orphan-kill}.
 */
public final class OrphanKillBenchmark {
    private static final int RUNS = 20;
    private static final double BUDGET_MILLIS = 20;
    /** A command that has just begun shares the processor with its wrapper's start. */
    private static final long SETTLED_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final long POLL_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private OrphanKillBenchmark() {}

    public static void main(String[] arguments) throws Exception {
        TestFolder.binary();
        measure("the wrapper's JVM", WrapperProcess::wrapper);
        measure("its supervisor", WrapperProcess::supervisor);
    }

    private static void measure(String victim, Function<WrapperProcess, ProcessEntry> find) throws Exception {
        List<Double> millis = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            millis.add(once(find));
        }
        millis.sort(null);
        double median = (millis.get((RUNS - 1) / 2) + millis.get(RUNS / 2)) / 2;
        String verdict = median <= BUDGET_MILLIS ? "within" : "OVER";
        System.out.printf(
                Locale.ROOT,
                "kill -9 of %s: all %d gone after median %.1f ms, max %.1f ms (%d runs, %s the budget of %.0f ms)%n",
                victim,
                AwkwardTree.SIZE,
                median,
                millis.get(RUNS - 1),
                RUNS,
                verdict,
                BUDGET_MILLIS);
    }

    private static double once(Function<WrapperProcess, ProcessEntry> find) throws Exception {
        try (var run = WrapperProcess.start(List.of(), AwkwardTree.command())) {
            run.awaitStarted(AwkwardTree.NAME, AwkwardTree.SIZE);
            List<ProcessEntry> started = run.started();
            ProcessEntry victim = find.apply(run);
            LockSupport.parkNanos(SETTLED_NANOS);

            long killed = System.nanoTime();
            victim.kill();
            while (started.stream().anyMatch(ProcessEntry::isAlive)) {
                if (System.nanoTime() - killed > TimeUnit.SECONDS.toNanos(10)) {
                    throw new IllegalStateException("left running: " + started);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
            return (System.nanoTime() - killed) / 1e6;
        }
    }
}
