package dev.incumbent.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.CommandLineOptionException;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs one benchmark class and prints its figures against their budgets. {@code guard|fenced-write JMH-OPTION…} */
public final class Figures {
    private static final int ROUNDS = 5;

    private final Collection<RunResult> results;

    private Figures(Collection<RunResult> results) {
        this.results = results;
    }

    /** Runs and prints. Options are JMH's own, such as {@code -f 1 -i 3}. */
    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        String[] options = Arrays.copyOfRange(args, 1, args.length);
        if (args[0].equals("guard")) {
            of(GuardBenchmark.class, options).printGuard();
        } else {
            List<Figures> rounds = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                rounds.add(of(FencedWriteBenchmark.class, options));
            }
            printFencedWrite(rounds, "FULL", "bound by the disk");
            printFencedWrite(rounds, "OFF", "bound by the processor");
        }
    }

    private static Figures of(Class<?> benchmark, String... options)
            throws RunnerException, CommandLineOptionException {
        return new Figures(new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(options))
                        .include(benchmark.getSimpleName())
                        .addProfiler(GCProfiler.class)
                        .build())
                .run());
    }

    /** On a machine that others use, too, an iteration is as slow as they make it: the quietest one is the nearest to the guard's own cost. */
    private void printGuard() {
        print(
                "Guard.holds(): median %.1f ns, quietest iteration %.1f ns (budget 50 ns)",
                median("holds", ""), quietest("holds"));
        print(
                "  of which the clocks by themselves, quietest: monotonic %.1f ns, wall %.1f ns",
                quietest("nanoTimeAlone"), quietest("wallClockAlone"));
        print(
                "  allocated: %.3f B/op (budget 0; one object would be 16), of which JMH itself: %.3f",
                allocated("holds"), allocated("nanoTimeAlone"));
    }

    private double quietest(String method) {
        return find(method, "").getPrimaryResult().getStatistics().getMin();
    }

    private double allocated(String method) {
        return Objects.requireNonNull(find(method, "").getSecondaryResults().get("gc.alloc.rate.norm"))
                .getStatistics()
                .getMin();
    }

    /** A disk that others use is as fast as they let it, from second to second: so the two are compared round by round. */
    private static void printFencedWrite(List<Figures> rounds, String synchronous, String bound) {
        double[] ratios = rounds.stream()
                .mapToDouble(round -> round.median("fenced", synchronous) / round.median("unfenced", synchronous))
                .sorted()
                .toArray();
        print(
                "SQLite write, %s: fenced / unfenced %.2f, median of %d rounds, %.2f to %.2f (no budget is set for SQLite)",
                bound, ratios[ratios.length / 2], ratios.length, ratios[0], ratios[ratios.length - 1]);
    }

    private double median(String method, String synchronous) {
        return find(method, synchronous).getPrimaryResult().getStatistics().getPercentile(50);
    }

    private RunResult find(String method, String synchronous) {
        return results.stream()
                .filter(result -> result.getParams().getBenchmark().endsWith("." + method))
                .filter(result -> synchronous.isEmpty()
                        || synchronous.equals(result.getParams().getParam("synchronous")))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no result of " + method + " " + synchronous));
    }

    private static void print(String format, Object... figures) {
        System.out.println(String.format(Locale.ROOT, format, figures));
    }
}
