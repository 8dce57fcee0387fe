package dev.incumbent.cli.demo;

import dev.incumbent.time.Timeline;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** Tells people what happens while it happens, each line with the seconds since the beginning. */
final class Narration {
    private final PrintStream out;
    private final Timeline timeline;
    private final long began;

    Narration(PrintStream out, Timeline timeline) {
        this.out = out;
        this.timeline = timeline;
        this.began = timeline.nanos();
    }

    void title(String line) {
        out.println(line);
    }

    void tell(String happened) {
        double seconds = (timeline.nanos() - began) / 1e9;
        out.println(String.format(Locale.ROOT, "%6.1f s  %s", seconds, happened));
    }

    /** Goes on about what was told last. */
    void add(String more) {
        out.println("          " + more);
    }

    /** A length as people read it. */
    static String length(Duration length) {
        return length.toMillis() < 1_000
                ? length.toMillis() + " ms"
                : String.format(Locale.ROOT, "%.1f s", length.toMillis() / 1e3);
    }
}
