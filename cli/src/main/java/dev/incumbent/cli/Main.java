package dev.incumbent.cli;

import dev.incumbent.cli.frame.Frame;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.time.SystemTimeline;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;

/** The program's entry. */
public final class Main {
    private Main() {}

    /** Runs one command line and ends the process with its exit code. */
    public static void main(String[] args) {
        Surroundings around = new Surroundings(
                System.getenv(),
                System.in,
                stream(FileDescriptor.out),
                stream(FileDescriptor.err),
                new SystemTimeline(),
                ServiceLoader.load(CoordinatorProvider.class),
                ServiceLoader.load(SinkProvider.class));
        System.exit(new Frame(new Incumbent(), new Verbs(), around).run(args));
    }

    /** Names may bear any letter, whatever the locale; each line leaves at once. */
    private static PrintStream stream(FileDescriptor descriptor) {
        return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
    }
}
