package dev.incumbent.fence;

import java.time.Duration;
import java.util.ServiceLoader;
import java.util.TreeSet;

/**
 * Sinks by URL, opened by the providers on the class path.
 *
 * <pre>{@code
 * Sinks.install("sqlite:ledger.db");
 * try (var sink = Sinks.open("sqlite:ledger.db");
 *         var elections = Elections.connect("file:coordinator.db")
 *                 .timing(Timing.ofLease(Duration.ofSeconds(6)))
 *                 .open();
 *         var candidacy = elections.election("hello").guarding(sink).campaign(FirstProgram::lead)) {
 *     System.out.println("I stand; Enter ends me");
 *     System.in.read();
 * }
 * }</pre>
 *
 * <p>A URL that no provider opens is an {@link IllegalArgumentException}, which names what is known and nothing of the URL but its scheme, for the rest may be secret.
 */
public final class Sinks {
    /** The longest that a call lasts where no bound is given. */
    public static final Duration BOUND = Duration.ofSeconds(5);

    private Sinks() {}

    /** Opens a sink, whose calls end within {@link #BOUND}. The caller closes it, after the candidacies that it guards. */
    public static Sink open(String url) {
        return open(url, BOUND);
    }

    /** The same, with a bound of the caller's. */
    public static Sink open(String url, Duration bound) {
        return provider(url).open(url, bound);
    }

    /** Installs the sink's side where it is missing, and changes nothing where it is there. Blocks; throws a {@link SinkException} where that cannot be. */
    public static void install(String url) {
        provider(url).install(url);
    }

    private static SinkProvider provider(String url) {
        TreeSet<String> known = new TreeSet<>();
        for (SinkProvider provider : ServiceLoader.load(SinkProvider.class)) {
            if (provider.opens(url)) {
                return provider;
            }
            known.addAll(provider.schemes());
        }
        throw new IllegalArgumentException(
                "no sink on the class path opens a URL that begins with '" + url.split(":", 2)[0]
                        + ":'; known URLs begin with " + (known.isEmpty() ? "nothing" : String.join(", ", known)));
    }
}
