package dev.incumbent.agent.http;

import dev.incumbent.ElectionListener;
import dev.incumbent.agent.alarms.AlarmListener;
import dev.incumbent.agent.elections.ElectionRouter;
import dev.incumbent.agent.elections.HostElections;
import dev.incumbent.agent.elections.HostSetup;
import dev.incumbent.agent.elections.HostWatchdog;
import dev.incumbent.agent.elections.PrefixMap;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.micrometer.ElectionMeters;
import dev.incumbent.micrometer.MeteredCoordinator;
import dev.incumbent.micrometer.MeteredSink;
import dev.incumbent.telling.conflict.ConflictKind;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** The meters of this agent, as OpenMetrics. Thread-safe. */
public final class Meters {
    /** The format of {@link #text}. */
    public static final String TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    /** Those of one agent. */
    public Meters() {
        new FileDescriptorMetrics().bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
    }

    /** Hears of the elections at one coordinator. Where it is one of several, its meters have its name as a tag. */
    public ElectionListener elections(Optional<String> coordinator) {
        return ElectionMeters.forEach(registry, tags(coordinator));
    }

    private static Tags tags(Optional<String> coordinator) {
        return coordinator.map(name -> Tags.of("coordinator", name)).orElse(Tags.empty());
    }

    /** The same setup, whose coordinators and sinks are measured. */
    public HostSetup around(HostSetup setup) {
        List<Sink> sinks = setup.sinks().stream()
                .<Sink>map(sink -> MeteredSink.around(sink, registry))
                .toList();
        setup.watchdog().ifPresent(this::meter);
        PrefixMap<Coordinator> coordinators = setup.coordinators();
        return new HostSetup(
                coordinators.map(one -> MeteredCoordinator.around(one, registry, tags(coordinators.name(one)))),
                setup.timing(),
                setup.name(),
                setup.address(),
                setup.rank(),
                setup.movesAfter(),
                sinks,
                setup.spreads(),
                setup.watchdog(),
                setup.stonith());
    }

    private void meter(HostWatchdog watchdog) {
        Gauge.builder(
                        "incumbent.watchdog.counting",
                        watchdog,
                        one -> one.remaining().isPresent() ? 1 : 0)
                .description("Does the watchdog count down?")
                .register(registry);
        TimeGauge.builder(
                        "incumbent.watchdog.remaining",
                        watchdog,
                        TimeUnit.NANOSECONDS,
                        one -> one.remaining()
                                .map(Duration::toNanos)
                                .map(Long::doubleValue)
                                .orElse(Double.NaN))
                .description("Until the watchdog restarts this host, unless it is fed or stopped.")
                .register(registry);
        Gauge.builder(
                        "incumbent.watchdog.works",
                        watchdog,
                        one -> one.view().works().size())
                .description("Owners whose work the watchdog guards.")
                .register(registry);
        FunctionCounter.builder("incumbent.watchdog.feedings", watchdog, HostWatchdog::feedings)
                .description("How often the watchdog was fed.")
                .register(registry);
    }

    /** Counts the alarms of these elections, whenever it is asked: by kind, and where there are several coordinators, of each. */
    public void count(ElectionRouter elections) {
        for (HostElections one : elections.all()) {
            for (ConflictKind kind : ConflictKind.values()) {
                Gauge.builder("incumbent.alarms", one, own -> count(own, kind))
                        .description("Alarms that are open: views of elections that contradict each other")
                        .tags(tags(elections.name(one)).and("kind", kind.word()))
                        .register(registry);
                raised(elections.name(one), kind).increment(0);
            }
        }
    }

    private static double count(HostElections own, ConflictKind kind) {
        return own.alarms().open().stream()
                .filter(alarm -> alarm.conflict().kind() == kind)
                .count();
    }

    private Counter raised(Optional<String> coordinator, ConflictKind kind) {
        return Counter.builder("incumbent.alarms.raised")
                .description("Alarms that were raised")
                .tags(tags(coordinator).and("kind", kind.word()))
                .register(registry);
    }

    /** Counts the alarms that are raised at one coordinator, with the tags of its gauge. Blocks nowhere. */
    public AlarmListener raised(Optional<String> coordinator) {
        return alarm -> {
            if (alarm.isOpen()) {
                raised(coordinator, alarm.conflict().kind()).increment();
            }
        };
    }

    /** All of them now. */
    public String text() {
        return registry.scrape(TYPE);
    }
}
