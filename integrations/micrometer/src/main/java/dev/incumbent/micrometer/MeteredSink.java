package dev.incumbent.micrometer;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.SinkId;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A sink whose raises are counted and timed, in a registry of Micrometer: a new leader begins only after them. Their tag {@code sink} is the sink's label. What
 * holds a raise up is told by {@link dev.incumbent.ElectionListener#onTrouble}.
 *
 * <p>Threads, time and failures are those of the sink within. Closing this one closes that one.
 */
public final class MeteredSink implements Sink {
    private final Sink within;
    private final Clock clock;
    private final Map<End, Timer> raises = new EnumMap<>(End.class);

    /** How a raise ended. */
    private enum End {
        RAISED,
        REFUSED,
        FAILED
    }

    private MeteredSink(Sink within, MeterRegistry registry) {
        this.within = within;
        this.clock = registry.config().clock();
        for (End end : End.values()) {
            raises.put(
                    end,
                    Timer.builder("incumbent.sink.raises")
                            .description("How long raises of the sink's marks took, and how they ended")
                            .tag("sink", within.label())
                            .tag("outcome", end.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    /** Meters of that sink. */
    public static MeteredSink around(Sink within, MeterRegistry registry) {
        return new MeteredSink(within, registry);
    }

    @Override
    public CompletionStage<SinkId> id() {
        return within.id();
    }

    @Override
    public String label() {
        return within.label();
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
        return timed(() -> within.raise(election, mark));
    }

    @Override
    public CompletionStage<Raise> raise(ElectionName election, Mark mark, Duration lease) {
        return timed(() -> within.raise(election, mark, lease));
    }

    private CompletionStage<Raise> timed(Supplier<CompletionStage<Raise>> call) {
        long sentAt = clock.monotonicTime();
        CompletionStage<Raise> raising = call.get();
        raising.whenComplete((raise, failure) -> record(failure == null ? end(raise) : End.FAILED, sentAt));
        return raising;
    }

    private static End end(Raise raise) {
        return raise instanceof Raise.Raised ? End.RAISED : End.REFUSED;
    }

    private void record(End end, long sentAt) {
        Objects.requireNonNull(raises.get(end)).record(clock.monotonicTime() - sentAt, TimeUnit.NANOSECONDS);
    }

    @Override
    public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
        return within.marks(elections);
    }

    @Override
    public CompletionStage<MarksRead> marks() {
        return within.marks();
    }

    @Override
    public void close() {
        within.close();
    }
}
