package dev.incumbent.lab;

import dev.incumbent.lab.world.LossTimes;
import dev.incumbent.lab.world.Measured;
import dev.incumbent.lab.world.Writes;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;

/**
 * What the runs of one cell measured together. Seconds are true seconds, and unless it says otherwise a figure is the mean of its runs.
 *
 * @param detection from the moment the leader was struck until another member held an election or claimed
 * @param takeover from that moment until a member led
 * @param measuredSeconds for how long each run was measured
 * @param several seconds with two believers or more
 * @param none seconds with none
 * @param messages of the protocol, in a second
 * @param electionMessages those that serve an election, for each leadership that began; empty where none began
 * @param leaderships how many began
 * @param acknowledged writes that leaders were told are done
 * @param lost writes overwritten by a leader that did not know them, each counted once, in all runs together, at the open copy: where there is a fence, until it told its leader
 * @param stale writes of a leader whose successor had begun, in all runs together, at the open copy
 * @param lostThoughFenced the same behind a fence
 * @param staleThoughFenced the same behind a fence
 * @param availability the share of seconds in which a write was acknowledged
 */
public record LabCell(
        LabGrid.Place place,
        int runs,
        Spread detection,
        Spread takeover,
        double measuredSeconds,
        double several,
        double none,
        double messages,
        OptionalDouble electionMessages,
        double leaderships,
        double acknowledged,
        long lost,
        long stale,
        long lostThoughFenced,
        long staleThoughFenced,
        double availability) {
    private static final double NANOS = 1e9;

    /**
     * How long something took, by the nearest rank.
     *
     * @param count how often it was waited for
     * @param never how often it did not come
     * @param p50 seconds; infinite where it never came
     * @param p99 seconds; infinite where it never came
     */
    public record Spread(int count, int never, double p50, double p99) {
        private static final int PERCENT = 100;

        static Spread of(LongStream nanos) {
            long[] sorted = nanos.sorted().toArray();
            int never = (int)
                    LongStream.of(sorted).filter(n -> n == LossTimes.NEVER).count();
            return new Spread(sorted.length, never, rank(sorted, 50), rank(sorted, 99));
        }

        private static double rank(long[] sorted, int percent) {
            if (sorted.length == 0) {
                return Double.NaN;
            }
            long found = sorted[(sorted.length * percent + PERCENT - 1) / PERCENT - 1];
            return found == LossTimes.NEVER ? Double.POSITIVE_INFINITY : found / NANOS;
        }
    }

    static LabCell of(LabGrid.Place place, List<Measured> runs) {
        double seconds = mean(runs, run -> run.nanos() / NANOS);
        double begun = mean(runs, Measured::begun);
        double elections = mean(runs, Measured::elections);
        return new LabCell(
                place,
                runs.size(),
                Spread.of(runs.stream()
                        .flatMap(run -> run.losses().stream())
                        .filter(LossTimes::detectable)
                        .mapToLong(LossTimes::detected)),
                Spread.of(runs.stream().flatMap(run -> run.losses().stream()).mapToLong(LossTimes::replaced)),
                seconds,
                mean(runs, run -> run.severalNanos() / NANOS),
                mean(runs, run -> run.noneNanos() / NANOS),
                mean(runs, run -> run.heartbeats() + run.elections()) / seconds,
                begun == 0 ? OptionalDouble.empty() : OptionalDouble.of(elections / begun),
                begun,
                mean(runs, run -> run.writes().acknowledged()),
                runs.stream().map(Measured::writes).mapToLong(Writes::lost).sum(),
                runs.stream().map(Measured::writes).mapToLong(Writes::stale).sum(),
                runs.stream()
                        .map(Measured::writes)
                        .mapToLong(Writes::lostThoughFenced)
                        .sum(),
                runs.stream()
                        .map(Measured::writes)
                        .mapToLong(Writes::staleThoughFenced)
                        .sum(),
                mean(runs, Measured::availability));
    }

    private static double mean(List<Measured> runs, ToDoubleFunction<Measured> figure) {
        return runs.stream().mapToDouble(figure).average().orElseThrow();
    }
}
