package dev.incumbent.cli.sinks;

import dev.incumbent.cli.frame.Sinks;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.wire.Redaction;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The flag {@code --sink}, once. */
public final class OneSink {
    /** By hand there is time to wait for transactions under way. */
    static final Duration BOUND = Duration.ofSeconds(30);

    @Option(
            names = "--sink",
            required = true,
            paramLabel = "URL",
            description = "The sink, such as jdbc:sqlite:ledger.db.")
    private String url = "";

    Sink open(Surroundings around) {
        return Sinks.open(around, url, BOUND);
    }

    SinkProvider provider(Surroundings around) {
        return Sinks.providerOf(around, url);
    }

    String url() {
        return url;
    }

    String label() {
        return Redaction.of(url);
    }
}
