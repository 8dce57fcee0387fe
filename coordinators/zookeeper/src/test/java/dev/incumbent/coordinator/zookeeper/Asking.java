package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The verbs these tests speak in. */
final class Asking {
    static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final CandidateId ADA = new CandidateId("ada@host-1-x");

    private Asking() {}

    static GrantedLease granted(Coordinator client, Duration length) {
        return get(client.grant(ADA, length));
    }

    static LeaderRecord claim(long term, LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(term, new Candidate(ADA, "ada", ""), lease, Duration.ofSeconds(1), NOON)
                .written(UUID.randomUUID().toString());
    }

    static Enlisted enlisted(LeaseId lease) {
        return new Enlisted(new Candidate(ADA, "ada", ""), lease, NOON, Set.of(), Set.of());
    }

    static Revision swapped(Coordinator client, Revision expected, LeaderRecord next) {
        Swap swap = get(client.swap(ELECTION, expected, next));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
        return ((Swap.Accepted) swap).revision();
    }

    static Reading reading(Coordinator client) {
        return get(client.read(Set.of(ELECTION))).values().iterator().next();
    }

    static ObservedRecord found(Coordinator client) {
        Reading reading = reading(client);
        assertThat(reading).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading).record();
    }

    static <T> T get(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    static CoordinatorException failure(CompletionStage<?> stage) {
        try {
            return new CoordinatorException("it was answered: " + get(stage), false);
        } catch (CompletionException e) {
            return (CoordinatorException) Optional.ofNullable(e.getCause()).orElseThrow();
        }
    }

    /** Asks until an answer holds, for at most that long. */
    static void within(Duration bound, String what, BooleanSupplier holds) {
        long end = System.nanoTime() + bound.toNanos();
        while (!holds.getAsBoolean()) {
            assertThat(System.nanoTime()).as(what).isLessThan(end);
            LockSupport.parkNanos(10_000_000);
        }
    }

    static boolean answers(CompletionStage<?> call) {
        return call.handle((value, failure) -> failure == null)
                .toCompletableFuture()
                .join();
    }
}
