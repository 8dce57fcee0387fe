package dev.incumbent.micrometer;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A coordinator whose calls are counted and timed, and whose lease is told, in a registry of Micrometer.
 *
 * <pre>{@code
 * return Elections.connect((clocks, timeout) -> MeteredCoordinator.around(source.open(clocks, timeout), registry))
 *         .listener(ElectionMeters.in(registry))
 *         .open();
 * }</pre>
 *
 * <p>The number of its meters is fixed: none grows with the elections. All are there from the beginning, so a meter that cannot be registered fails {@link
 * #around} and no call. Threads, time and failures of calls are those of the coordinator within; a call is timed until its stage completes.
 */
public final class MeteredCoordinator extends ForwardingCoordinator {
    private final CallMeters calls;
    private final LeaseMeters lease;

    private MeteredCoordinator(Coordinator within, CallMeters calls, LeaseMeters lease) {
        super(within);
        this.calls = calls;
        this.lease = lease;
    }

    /** Meters of the one coordinator of a process. */
    public static MeteredCoordinator around(Coordinator within, MeterRegistry registry) {
        return around(within, registry, Tags.empty());
    }

    /** Meters with these tags, which tell several coordinators of one process apart. */
    public static MeteredCoordinator around(Coordinator within, MeterRegistry registry, Iterable<Tag> tags) {
        return new MeteredCoordinator(within, CallMeters.in(registry, tags), LeaseMeters.in(registry, tags));
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        long sentAt = lease.now();
        CompletionStage<GrantedLease> granting = timed(Operation.GRANT, () -> super.grant(owner, timeToLive));
        granting.thenAccept(granted -> lease.granted(granted, sentAt));
        return granting;
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId id) {
        long sentAt = lease.now();
        CompletionStage<Void> renewing = timed(Operation.KEEP_ALIVE, () -> super.keepAlive(id));
        renewing.whenComplete((done, failure) -> {
            if (failure == null) {
                lease.renewed(id, sentAt);
            } else if (Outcome.of(failure) == Outcome.LEASE_LOST) {
                lease.over(id);
            }
        });
        return renewing;
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId id) {
        lease.over(id);
        return timed(Operation.REVOKE, () -> super.revoke(id));
    }

    /** Where a record could not be read, the call has failed, though its stage has not. */
    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return calls.timed(Operation.READ, () -> super.read(elections), MeteredCoordinator::ofReadings);
    }

    private static Outcome ofReadings(Map<ElectionName, Reading> readings) {
        return readings.values().stream().anyMatch(Reading.Unread.class::isInstance) ? Outcome.FAILED : Outcome.OK;
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return timed(Operation.SWAP, () -> super.swap(election, expected, next));
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return timed(Operation.ENLIST, () -> super.enlist(election, candidate));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return timed(Operation.WITHDRAW, () -> super.withdraw(election, candidate));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return timed(Operation.CANDIDATES, () -> super.candidates(elections));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return timed(Operation.ELECTIONS, () -> super.elections(prefix));
    }

    private <T> CompletionStage<T> timed(Operation operation, Supplier<CompletionStage<T>> call) {
        return calls.timed(operation, call, answer -> Outcome.OK);
    }
}
