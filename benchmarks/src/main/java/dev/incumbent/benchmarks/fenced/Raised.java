package dev.incumbent.benchmarks.fenced;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.time.Duration;

/** The one term in which all is written. */
final class Raised {
    static final ElectionName ELECTION = new ElectionName("benchmark");
    static final FencingToken TOKEN = new FencingToken(7);
    static final String LINE = "one line of a ledger";
    static final Duration BOUND = Duration.ofSeconds(10);

    private Raised() {}

    /** Installs the sink there, and raises it to the term. */
    static void at(SinkProvider provider, String url) {
        provider.install(url);
        try (Sink sink = provider.open(url, BOUND)) {
            Raise raised = sink.raise(ELECTION, new Mark(TOKEN, MarkOwner.ofOperator("benchmark")))
                    .toCompletableFuture()
                    .join();
            if (!(raised instanceof Raise.Raised)) {
                throw new IllegalStateException("not raised: " + raised);
            }
        }
    }
}
