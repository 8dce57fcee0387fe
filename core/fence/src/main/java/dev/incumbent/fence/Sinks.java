package dev.incumbent.fence;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Opens sinks by URL, and installs their fences. The modules that know the URLs, such as {@code incumbent-fence-sql}, must be on the class path.
 *
 * <pre>{@code
 * Sinks.install("sqlite:ledger.db");
 * try (var sink = Sinks.open("sqlite:ledger.db");
 *         var elections = Elections.connect("file:coordinator.db")
 *                 .timing(Timing.ofLease(Duration.ofSeconds(6)))
 *                 .open();
 *         var candidacy = elections.election("hello").guarding(sink).campaign(FirstProgram::lead)) {
 *     System.out.println("waiting to lead; press Enter to quit");
 *     System.in.read();
 * }
 * }</pre>
 *
 * <p>If no provider knows the URL, an {@link IllegalArgumentException} is thrown. Its message names the known schemes and the scheme of the URL, but not the
 * rest of the URL, which may be secret.
 */
public final class Sinks {
    /** The time limit of a call if the caller gives none. */
    public static final Duration BOUND = Duration.ofSeconds(5);

    private Sinks() {}

    /** Opens a sink whose calls end within {@link #BOUND}. The caller closes it after the candidacies that use it. */
    public static Sink open(String url) {
        return open(url, BOUND);
    }

    /** Opens a sink whose calls end within {@code bound}. */
    public static Sink open(String url, Duration bound) {
        return provider(url).open(url, bound);
    }

    /**
     * Installs the fence in the sink. If the fence is already there, nothing changes. Blocks; throws a {@link SinkException} if the fence cannot be installed.
     */
    public static void install(String url) {
        provider(url).install(url);
    }

    private static SinkProvider provider(String url) {
        TreeSet<String> known = new TreeSet<>();
        for (ClassLoader loader : loaders()) {
            for (SinkProvider provider : ServiceLoader.load(SinkProvider.class, loader)) {
                if (provider.opens(url)) {
                    return provider;
                }
                known.addAll(provider.schemes());
            }
        }
        throw new IllegalArgumentException(
                "no sink on the class path opens a URL that begins with '" + url.split(":", 2)[0]
                        + ":'; known URLs begin with " + (known.isEmpty() ? "nothing" : String.join(", ", known)));
    }

    /** This library's own, and that of the thread's context: in a container, or in a thread of the common pool, either may see the providers alone. */
    private static List<ClassLoader> loaders() {
        return Stream.of(
                        SinkProvider.class.getClassLoader(),
                        Thread.currentThread().getContextClassLoader())
                .filter(Objects::nonNull)
                .distinct()
                .toList();
    }
}
