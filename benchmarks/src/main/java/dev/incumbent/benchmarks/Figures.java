package dev.incumbent.benchmarks;

import java.util.Arrays;
import java.util.Collection;
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
    private final Collection<RunResult> results;

    private Figures(Collection<RunResult> results) {
        this.results = results;
    }

    /** Runs and prints. Options are JMH's own, such as {@code -f 1 -i 3}. */
    public static void main(String[] args) throws RunnerException, CommandLineOptionException {
        boolean guard = args[0].equals("guard");
        String[] options = Arrays.copyOfRange(args, 1, args.length);
        Class<?> type = guard ? GuardBenchmark.class : FencedWriteBenchmark.class;
        Figures figures = new Figures(new Runner(new OptionsBuilder()
                        .parent(new CommandLineOptions(options))
                        .include(type.getSimpleName())
                        .addProfiler(GCProfiler.class)
                        .build())
                .run());
        if (guard) {
            figures.printGuard();
        } else {
            figures.printFencedWrite("FULL", "bound by the disk");
            figures.printFencedWrite("OFF", "bound by the processor");
        }
    }

    /** On a machine that others use, too, an iteration is as slow as they make it: the quietest one is the nearest to the guard's own cost. */
    private void printGuard() {
        print(
                "Guard.holds(): median %.1f ns, quietest iteration %.1f ns (budget 50 ns)",
                median("holds"), quietest("holds"));
        print(
                "  of which the clocks by themselves, quietest: monotonic %.1f ns, wall %.1f ns",
                quietest("nanoTimeAlone"), quietest("wallClockAlone"));
        print(
                "  allocated: %.3f B/op (budget 0; one object would be 16), of which JMH itself: %.3f",
                allocated("holds"), allocated("nanoTimeAlone"));
    }

    private double median(String method) {
        return find(method, "").getPrimaryResult().getStatistics().getPercentile(50);
    }

    private double quietest(String method) {
        return find(method, "").getPrimaryResult().getStatistics().getMin();
    }

    private double allocated(String method) {
        return Objects.requireNonNull(find(method, "").getSecondaryResults().get("gc.alloc.rate.norm"))
                .getStatistics()
                .getPercentile(50);
    }

    private void printFencedWrite(String synchronous, String bound) {
        double fenced = score("fenced", synchronous);
        double unfenced = score("unfenced", synchronous);
        print(
                "SQLite write, %s: fenced %.0f/s, unfenced %.0f/s, ratio %.2f (no budget is set for SQLite)",
                bound, fenced, unfenced, fenced / unfenced);
    }

    private double score(String method, String synchronous) {
        return find(method, synchronous).getPrimaryResult().getScore();
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
