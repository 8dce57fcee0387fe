package dev.incumbent.cli.frame;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** A command line run in this process: what it printed, and its exit code. */
public record CommandRun(int code, String out, String err) {
    /** Runs one in given surroundings: with those variables, over those coordinators and sinks. */
    public static CommandRun of(
            Object root, VerbTable verbs, Map<String, String> variables, World world, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Surroundings around = new Surroundings(
                variables,
                new ByteArrayInputStream(new byte[0]),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                Screen.NONE,
                world.timeline(),
                world.coordinators(),
                world.sinks());
        int code = new Frame(root, verbs, around).run(args);
        return new CommandRun(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** The clocks, coordinators and sinks that a command line meets. */
    public record World(Timeline timeline, List<CoordinatorProvider> coordinators, List<SinkProvider> sinks) {
        /** A world without any. */
        public static World empty() {
            return new World(new SystemTimeline(), List.of(), List.of());
        }

        /** A world in which every URI of that scheme opens such a coordinator. */
        public static World of(Timeline timeline, String scheme, Supplier<Coordinator> coordinator) {
            return new World(timeline, List.of(new Fixed(Set.of(scheme), coordinator)), List.of());
        }

        /** The same, with a sink at that URL. */
        public World and(String url, Supplier<Sink> sink) {
            return new World(timeline, coordinators, List.of(new FixedSink(url, sink)));
        }
    }

    private record Fixed(Set<String> schemes, Supplier<Coordinator> coordinator) implements CoordinatorProvider {
        @Override
        public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
            return coordinator.get();
        }
    }

    private record FixedSink(String url, Supplier<Sink> sink) implements SinkProvider {
        @Override
        public boolean opens(String asked) {
            return asked.equals(url);
        }

        @Override
        public Set<String> schemes() {
            return Set.of(url);
        }

        @Override
        public Sink open(String asked, Duration bound) {
            return sink.get();
        }

        @Override
        public void install(String asked) {}

        @Override
        public void guard(String asked, String table, ElectionName election) {}
    }
}
