package dev.incumbent.lab;

import dev.incumbent.lab.world.LabFault;
import dev.incumbent.lab.world.LabWorld;
import dev.incumbent.lab.world.Measured;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Runs the cells of a grid, several at a time. The same grid has the same result, however many run at once. */
public final class Lab {
    private static final long BEFORE_NANOS = Duration.ofSeconds(3).toNanos();
    private static final long AFTER_NANOS = Duration.ofSeconds(45).toNanos();

    private Lab() {}

    /** Runs them all; {@code told} hears, on the calling thread, how many are done. */
    public static List<LabCell> run(LabGrid grid, int jobs, IntConsumer told) {
        ExecutorService threads = Executors.newFixedThreadPool(jobs);
        try {
            List<Future<LabCell>> cells = new ArrayList<>();
            grid.places().forEach(place -> cells.add(threads.submit(() -> cell(grid, place))));
            List<LabCell> done = new ArrayList<>();
            for (Future<LabCell> cell : cells) {
                done.add(awaited(cell));
                told.accept(done.size());
            }
            return done;
        } finally {
            threads.shutdownNow();
        }
    }

    private static LabCell awaited(Future<LabCell> cell) {
        try {
            return cell.get();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the lab ran", interrupted);
        } catch (ExecutionException failure) {
            throw new IllegalStateException("a run of the lab failed", failure.getCause());
        }
    }

    private static LabCell cell(LabGrid grid, LabGrid.Place place) {
        List<Measured> runs = new ArrayList<>();
        for (int i = 0; i < grid.seeds(); i++) {
            runs.add(run(place, grid.seed(i)));
        }
        return LabCell.of(place, runs);
    }

    /** What happened in the first run of a cell, around its first fault. */
    public static LabStory story(LabGrid grid, LabGrid.Place place) {
        return story(place, grid.seed(0));
    }

    private static LabStory story(LabGrid.Place place, long seed) {
        List<LabFault> faults = place.scenario().faults(place.size(), seed);
        long warm = LabWorld.WARM_UP.toNanos();
        long first = warm
                + faults.stream().mapToLong(fault -> fault.at().toNanos()).min().orElse(BEFORE_NANOS);
        long to = Math.min(
                first + AFTER_NANOS,
                warm + place.scenario().measured(place.lease()).toNanos());
        LabWorld world = new LabWorld(seed, place.size());
        StoryRecorder recorder = new StoryRecorder(place.size(), world::now, first - BEFORE_NANOS, to);
        world.watchedBy(recorder);
        world.pacedAt(place.scenario().pace());
        place.protocol().join(world, place.lease());
        world.run(faults, place.scenario().measured(place.lease()));
        return recorder.told();
    }

    /** One run of one cell. */
    static Measured run(LabGrid.Place place, long seed) {
        LabWorld world = new LabWorld(seed, place.size());
        world.pacedAt(place.scenario().pace());
        place.protocol().join(world, place.lease());
        return world.run(
                place.scenario().faults(place.size(), seed), place.scenario().measured(place.lease()));
    }
}
