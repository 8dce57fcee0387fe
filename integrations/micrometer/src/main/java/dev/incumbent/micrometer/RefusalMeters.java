package dev.incumbent.micrometer;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotRaisedException;
import dev.incumbent.fence.StaleTokenException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Counts the writes that a sink refused, in a registry of Micrometer. A writer calls {@link #refused} where it catches the refusal, since most fences refuse when
 * the write is committed, which the library does not see.
 *
 * <p>Thread-safe. The counters of a sink are there from the beginning.
 */
public final class RefusalMeters {
    private final Map<Why, Counter> refusals = new EnumMap<>(Why.class);

    /** What the sink said. */
    private enum Why {
        STALE,
        NOT_RAISED,
        NO_TRANSACTION,
        NOT_ADMITTED
    }

    private RefusalMeters(MeterRegistry registry, String sink) {
        for (Why why : Why.values()) {
            refusals.put(
                    why,
                    Counter.builder("incumbent.writes.refused")
                            .description("Writes that a sink refused, and why")
                            .tag("sink", sink)
                            .tag("why", why.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    /** Counters of one sink, by a name without credentials, such as {@link dev.incumbent.fence.Sink#label}. */
    public static RefusalMeters of(String sink, MeterRegistry registry) {
        return new RefusalMeters(registry, sink);
    }

    /** That sink has refused a write. */
    public void refused(FenceException by) {
        Objects.requireNonNull(refusals.get(why(by))).increment();
    }

    private static Why why(FenceException by) {
        if (by instanceof StaleTokenException) {
            return Why.STALE;
        }
        if (by instanceof NotRaisedException) {
            return Why.NOT_RAISED;
        }
        return by instanceof NoTransactionException ? Why.NO_TRANSACTION : Why.NOT_ADMITTED;
    }
}
