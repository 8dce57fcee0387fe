package dev.incumbent.benchmarks.fenced;

import dev.incumbent.time.SystemTimeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Holds contests, and prints each one's result when it is over. */
final class Rounds implements AutoCloseable {
    /** Where writers do not wait for each other by nature. */
    static final int WRITERS = 8;

    private static final double NANOS_PER_SECOND = 1e9;

    private final SystemTimeline timeline = new SystemTimeline();
    private final ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    private final int count;
    private final long nanos;

    /** So many rounds, each with so long a time for either side. */
    Rounds(int count, double seconds) {
        this.count = count;
        this.nanos = (long) (seconds * NANOS_PER_SECOND);
    }

    /** Other work on the machine slows a round down, both halves of it: so the ratio is taken in each, which half is first by turns. The first one does not count. */
    void hold(Contest contest) throws Exception {
        double[] ratios = new double[count];
        double[] unfenced = new double[count];
        double[] fenced = new double[count];
        perSecond(contest.unfenced());
        perSecond(contest.fenced());
        for (int round = 0; round < count; round++) {
            boolean isUnfencedFirst = round % 2 == 0;
            double first = perSecond(isUnfencedFirst ? contest.unfenced() : contest.fenced());
            double second = perSecond(isUnfencedFirst ? contest.fenced() : contest.unfenced());
            unfenced[round] = isUnfencedFirst ? first : second;
            fenced[round] = isUnfencedFirst ? second : first;
            ratios[round] = fenced[round] / unfenced[round];
        }
        for (double[] figures : List.of(ratios, unfenced, fenced)) {
            Arrays.sort(figures);
        }
        System.out.println(String.format(
                Locale.ROOT,
                "%s: unfenced %.0f a second, fenced %.0f; fenced / unfenced %.2f, median of %d rounds, %.2f to %.2f%s",
                contest.what(),
                unfenced[count / 2],
                fenced[count / 2],
                ratios[count / 2],
                count,
                ratios[0],
                ratios[count - 1],
                verdict(contest.budget(), ratios[count / 2])));
    }

    private static String verdict(double budget, double ratio) {
        return budget == 0 ? "" : " (budget " + budget + ": " + (ratio >= budget ? "within" : "BELOW") + ")";
    }

    private double perSecond(List<Writer> writers) throws Exception {
        long began = timeline.nanos();
        List<Callable<Long>> all = new ArrayList<>();
        for (Writer writer : writers) {
            all.add(() -> written(writer, began + nanos));
        }
        long written = 0;
        for (Future<Long> one : threads.invokeAll(all)) {
            written += one.get();
        }
        return written * NANOS_PER_SECOND / (timeline.nanos() - began);
    }

    private long written(Writer writer, long until) throws Exception {
        long written = 0;
        while (timeline.nanos() - until < 0) {
            writer.write();
            written++;
        }
        return written;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        timeline.close();
    }
}
