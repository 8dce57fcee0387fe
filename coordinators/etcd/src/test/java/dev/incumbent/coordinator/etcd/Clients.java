package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Coordinators that a test opens, and what it asks of them. */
final class Clients implements AutoCloseable {
    static final Duration TIMEOUT = Duration.ofSeconds(2);
    static final CandidateId ADA = CandidateId.of("ada", "host", 1, "r");

    private final SystemTimeline timeline = new SystemTimeline();
    private final List<Coordinator> opened = new ArrayList<>();

    SystemTimeline timeline() {
        return timeline;
    }

    Coordinator open(String at) {
        return open(at, TIMEOUT);
    }

    Coordinator open(String at, Duration requestTimeout) {
        return owned(new EtcdCoordinatorProvider().open(at, timeline, requestTimeout, Mode.CREATE));
    }

    /** Closed with these. */
    Coordinator owned(Coordinator client) {
        opened.add(client);
        return client;
    }

    static <T> T get(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof CoordinatorException known) {
                throw known;
            }
            throw e;
        }
    }

    static GrantedLease grant(Coordinator client, Duration length) {
        return get(client.grant(ADA, length));
    }

    static LeaderRecord claim(long term, LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(term, new Candidate(ADA, "ada", ""), lease, Duration.ofSeconds(5), Instant.EPOCH)
                .written(UUID.randomUUID().toString());
    }

    static Revision swapped(Coordinator client, ElectionName election, Revision expected, LeaderRecord next) {
        return get(client.swap(election, expected, next)) instanceof Swap.Accepted accepted
                ? accepted.revision()
                : Revision.ABSENT;
    }

    /** Waits until it holds; false if it does not within that time. A question that fails does not hold. */
    boolean within(Duration bound, BooleanSupplier holds) {
        long end = timeline.nanos() + bound.toNanos();
        while (timeline.nanos() < end) {
            try {
                if (holds.getAsBoolean()) {
                    return true;
                }
            } catch (CoordinatorException inTrouble) {
                LockSupport.parkNanos(1_000_000);
            }
            LockSupport.parkNanos(5_000_000);
        }
        return false;
    }

    @Override
    public void close() {
        opened.forEach(Coordinator::close);
        timeline.close();
    }
}
