package dev.incumbent.cli.frame;

import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * What a verb may touch of the process that it runs in, so that a test can run it in its own.
 *
 * @param variables the environment
 * @param in standard input
 * @param out results, and nothing else
 * @param err everything that is not a result
 * @param screen what stands behind standard output
 * @param timeline the clocks
 * @param coordinators who opens coordinators
 * @param sinks who opens sinks
 */
public record Surroundings(
        Map<String, String> variables,
        InputStream in,
        PrintStream out,
        PrintStream err,
        Screen screen,
        Timeline timeline,
        Iterable<CoordinatorProvider> coordinators,
        Iterable<SinkProvider> sinks) {

    /** Those of this process, with the providers on its class path. */
    public static Surroundings ofThisProcess() {
        return new Surroundings(
                System.getenv(),
                System.in,
                stream(FileDescriptor.out),
                stream(FileDescriptor.err),
                Screen.ofThisProcess(System.getenv()),
                new SystemTimeline(),
                new CoordinatorProviders(),
                ServiceLoader.load(SinkProvider.class));
    }

    /** Names may bear any letter, whatever the locale; each line leaves at once. */
    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }

    /** A variable's value; one that is set to nothing is absent. */
    public Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isEmpty());
    }

    /** The time on the wall, for people. */
    public Instant now() {
        return Instant.ofEpochMilli(timeline.wallMillis());
    }

    /** Says one sentence to people. */
    public void say(String sentence) {
        err.println("incumbent: " + sentence);
    }
}
