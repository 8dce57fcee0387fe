package dev.incumbent.health;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorSource;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Does the coordinator answer renewals of the lease in good time? Compares the last renewal with the time that the lease allows for one request, the request
 * timeout. It sends nothing of its own, so it knows nothing new between two renewals.
 *
 * <pre>{@code
 * RoundTrip coordinator = RoundTrip.atMost(50);
 * Elections elections = Elections.connect(coordinator.to(source)).open();
 * HealthMonitor monitor = HealthMonitor.asking(coordinator).start();
 * }</pre>
 *
 * <p>A renewal that fails is no answer, and so no bad one: how long a leader goes on without a coordinator is the lease's affair, and a short outage must not end
 * terms that would have survived it.
 */
public final class RoundTrip implements HealthCheck {
    private final double percent;
    private volatile Optional<Sample> last = Optional.empty();

    /** A renewal that was answered. */
    private record Sample(long tookNanos, long allowedNanos) {}

    private RoundTrip(double percent) {
        this.percent = Amounts.checkedPercent(percent);
    }

    /** A renewal takes at most so much of the time that the lease allows for it, of 100. {@code incumbent doctor} warns at 50. */
    public static RoundTrip atMost(double percent) {
        return new RoundTrip(percent);
    }

    /** Opens what that source opens, and measures the renewals that pass. Only of one source at a time. */
    public CoordinatorSource to(CoordinatorSource source) {
        return (timeline, requestTimeout) ->
                new Measured(source.open(timeline, requestTimeout), timeline, requestTimeout, this);
    }

    @Override
    public String name() {
        return "coordinator";
    }

    @Override
    public Answer ask(long nanos) {
        return last.map(this::judge).orElseGet(() -> Answer.well("has renewed no lease of late"));
    }

    private Answer judge(Sample sample) {
        String took = "took " + Amounts.seconds(sample.tookNanos()) + " for a renewal; the lease allows "
                + Amounts.seconds(sample.allowedNanos());
        return Amounts.percentOf(sample.tookNanos(), sample.allowedNanos()) > percent
                ? Answer.sick(took + ", and healthy is " + Amounts.percent(percent) + " of it")
                : Answer.well(took);
    }

    /** Times each renewal from before it is sent. */
    private static final class Measured extends ForwardingCoordinator {
        private final Timeline timeline;
        private final long allowedNanos;
        private final RoundTrip told;

        Measured(Coordinator within, Timeline timeline, Duration requestTimeout, RoundTrip told) {
            super(within);
            this.timeline = timeline;
            this.allowedNanos = requestTimeout.toNanos();
            this.told = told;
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            long sentAt = timeline.nanos();
            CompletionStage<Void> renewing = super.keepAlive(lease);
            renewing.whenComplete((done, failure) -> told.last = failure == null
                    ? Optional.of(new Sample(timeline.nanos() - sentAt, allowedNanos))
                    : Optional.empty());
            return renewing;
        }

        @Override
        public CompletionStage<Void> revoke(LeaseId lease) {
            told.last = Optional.empty();
            return super.revoke(lease);
        }
    }
}
