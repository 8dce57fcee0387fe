package dev.incumbent.coordinator.tck;

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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** The verbs these tests speak in. */
public final class Asking {
    public static final ElectionName ELECTION = new ElectionName("billing/closer");
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final CandidateId ADA = new CandidateId("ada@host-1-x");

    private Asking() {}

    public static GrantedLease granted(Coordinator client, Duration length) throws Exception {
        return get(client.grant(ADA, length));
    }

    public static LeaderRecord claim(LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(1, new Candidate(ADA, "ada", ""), lease, Duration.ofSeconds(1), NOON)
                .written(UUID.randomUUID().toString());
    }

    public static LeaderRecord vacant(long term) {
        return LeaderRecord.EMPTY.vacated(term, NOON).written(UUID.randomUUID().toString());
    }

    public static Enlisted enlisted(LeaseId lease) {
        return new Enlisted(new Candidate(ADA, "ada", ""), lease, NOON, Set.of());
    }

    public static Revision swapped(Coordinator client, Revision expected, LeaderRecord next) throws Exception {
        Swap swap = get(client.swap(ELECTION, expected, next));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
        return ((Swap.Accepted) swap).revision();
    }

    public static Reading reading(Coordinator client) throws Exception {
        return get(client.read(Set.of(ELECTION))).values().iterator().next();
    }

    public static ObservedRecord found(Coordinator client) throws Exception {
        Reading reading = reading(client);
        assertThat(reading).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading).record();
    }

    public static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().orTimeout(20, TimeUnit.SECONDS).get();
    }

    /** Waits for an end, whatever it is. */
    public static <T> void await(CompletionStage<T> stage) throws Exception {
        String end = get(stage.handle((value, failure) -> "ended"));
        assertThat(end).isEqualTo("ended");
    }

    public static CoordinatorException failure(CompletionStage<?> stage) throws Exception {
        try {
            return new CoordinatorException("it was answered: " + get(stage), false);
        } catch (ExecutionException e) {
            return (CoordinatorException) Optional.ofNullable(e.getCause()).orElseThrow();
        }
    }
}
