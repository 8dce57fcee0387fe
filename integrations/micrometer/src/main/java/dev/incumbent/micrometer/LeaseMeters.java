package dev.incumbent.micrometer;

import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.model.LeaseId;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The lease of a process, by which all that it leads lives: when it was renewed last, and how long renewals take. Thread-safe. */
final class LeaseMeters {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5)
    };

    private final Clock clock;
    private final Timer renewals;
    private volatile Optional<Held> held = Optional.empty();

    /** The lease that was granted last, and when the last request left that was answered. */
    private record Held(LeaseId id, long lengthNanos, long sentAt) {
        Held renewed(long at) {
            return new Held(id, lengthNanos, Math.max(sentAt, at));
        }
    }

    private LeaseMeters(Clock clock, Timer renewals) {
        this.clock = clock;
        this.renewals = renewals;
    }

    static LeaseMeters in(MeterRegistry registry, Iterable<Tag> tags) {
        Timer renewals = Timer.builder("incumbent.lease.renewals")
                .description("How long renewals of the lease took that succeeded")
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        LeaseMeters meters = new LeaseMeters(registry.config().clock(), renewals);
        meters.gauge("incumbent.lease.length", LeaseMeters::length)
                .description("How long the lease is that this process holds")
                .tags(tags)
                .register(registry);
        meters.gauge("incumbent.lease.renewal.age", LeaseMeters::age)
                .description("How long ago the last request was sent by which the lease was granted or renewed")
                .tags(tags)
                .register(registry);
        return meters;
    }

    private TimeGauge.Builder<LeaseMeters> gauge(String name, ToDoubleFunction<LeaseMeters> value) {
        return TimeGauge.builder(name, this, TimeUnit.NANOSECONDS, value).strongReference(true);
    }

    private double length() {
        return held.map(one -> (double) one.lengthNanos()).orElse(Double.NaN);
    }

    private double age() {
        return held.map(one -> (double) (now() - one.sentAt())).orElse(Double.NaN);
    }

    long now() {
        return clock.monotonicTime();
    }

    synchronized void granted(GrantedLease lease, long sentAt) {
        held = Optional.of(new Held(lease.id(), lease.timeToLive().toNanos(), sentAt));
    }

    synchronized void renewed(LeaseId id, long sentAt) {
        renewals.record(now() - sentAt, TimeUnit.NANOSECONDS);
        held = held.map(one -> one.id().equals(id) ? one.renewed(sentAt) : one);
    }

    /** It is revoked, or was told to be dead. */
    synchronized void over(LeaseId id) {
        held = held.filter(one -> !one.id().equals(id));
    }
}
