package dev.incumbent.cli.frame;

import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.wire.Redaction;
import java.time.Duration;
import java.util.TreeSet;

/** The way from a sink's URL to the sink. */
public final class Sinks {
    private Sinks() {}

    /** Opens the sink at a URL; every call ends within {@code bound}. */
    public static Sink open(Surroundings around, String url, Duration bound) {
        return providerOf(around, url).open(url, bound);
    }

    /** Who opens that URL. */
    public static SinkProvider providerOf(Surroundings around, String url) {
        TreeSet<String> known = new TreeSet<>();
        for (SinkProvider provider : around.sinks()) {
            if (provider.opens(url)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        throw Refusal.configuration(
                "no sink opens --sink '" + Redaction.of(url) + "'; known URLs begin with " + String.join(", ", known));
    }
}
