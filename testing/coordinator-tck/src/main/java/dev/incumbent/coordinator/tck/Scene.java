package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
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
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** One test's rig, and the verbs that the tests speak in. Names are fresh, so that a store may serve many tests. */
final class Scene {
    static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final CoordinatorRig rig;
    private final String prefix = "tck-" + UUID.randomUUID();

    Scene(CoordinatorRig rig) {
        this.rig = rig;
    }

    String prefix() {
        return prefix;
    }

    ElectionName election(String name) {
        return new ElectionName(prefix + "/" + name);
    }

    Candidate candidate(String name) {
        return new Candidate(CandidateId.of(name, "host", 1, prefix), name, "");
    }

    /** Waits for an answer, as long as a call may take. */
    <T> T get(CompletionStage<T> stage) {
        try {
            return ended(stage).get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof CoordinatorException known) {
                throw known;
            }
            throw new AssertionError("a call ended in what is no CoordinatorException", e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Waits for a call to end without an answer. */
    CoordinatorException failure(CompletionStage<?> stage) {
        try {
            Object answer = get(stage);
            return fail("expected no answer, and it was " + answer);
        } catch (CoordinatorException expected) {
            return expected;
        }
    }

    /** Waits for a call to end, one way or the other. */
    <T> CompletableFuture<T> ended(CompletionStage<T> stage) {
        CompletableFuture<T> seen = new CompletableFuture<>();
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                seen.complete(value);
            } else {
                boolean wrapped = failure instanceof CompletionException && failure.getCause() != null;
                seen.completeExceptionally(wrapped ? failure.getCause() : failure);
            }
        });
        within(rig.requestTimeout(), "the end of a call", seen::isDone);
        return seen;
    }

    /** Waits until a client that was cut off, and has been healed, is answered. */
    void answersAgain(Coordinator client) {
        answersAgain(() -> client.elections(prefix));
    }

    /** Waits until a call is answered, which it is made for again and again. */
    void answersAgain(Supplier<CompletionStage<?>> call) {
        within(
                rig.requestTimeout().multipliedBy(4),
                "an answered call",
                () -> !ended(call.get()).isCompletedExceptionally());
    }

    /** Lets time pass until something holds, for at most that long and the slack. */
    void within(Duration bound, String what, BooleanSupplier holds) {
        new Punctuality(rig).within(bound, () -> what, holds);
    }

    GrantedLease grant(Coordinator client) {
        return get(client.grant(candidate("owner").id(), rig.lease()));
    }

    LeaseId lease(Coordinator client) {
        return grant(client).id();
    }

    /** A record that a leader of that name claims with that lease. */
    LeaderRecord claim(long term, String leader, LeaseId lease) {
        return LeaderRecord.EMPTY
                .claimedBy(term, candidate(leader), lease, rig.lease(), NOON)
                .written(nonce());
    }

    /** A record without a leader. */
    LeaderRecord vacant(long term) {
        return LeaderRecord.EMPTY.vacated(term, NOON).written(nonce());
    }

    String nonce() {
        return UUID.randomUUID().toString();
    }

    Revision swapped(Coordinator client, ElectionName election, Revision expected, LeaderRecord next) {
        Swap swap = get(client.swap(election, expected, next));
        assertThat(swap).isInstanceOf(Swap.Accepted.class);
        return ((Swap.Accepted) swap).revision();
    }

    Reading reading(Coordinator client, ElectionName election) {
        var readings = get(client.read(Set.of(election)));
        assertThat(readings).containsOnlyKeys(election);
        return readings.getOrDefault(election, new Reading.Unread("asserted before"));
    }

    ObservedRecord found(Coordinator client, ElectionName election) {
        Reading reading = reading(client, election);
        assertThat(reading).isInstanceOf(Reading.Found.class);
        return ((Reading.Found) reading).record();
    }

    /** Whether a keep-alive is answered; that its lease is lost is no want of an answer. */
    boolean isKept(Coordinator client, LeaseId lease) {
        try {
            get(client.keepAlive(lease));
            return true;
        } catch (LeaseLostException lost) {
            throw lost;
        } catch (CoordinatorException unanswered) {
            return false;
        }
    }

    boolean isAlive(Coordinator client, ElectionName election) {
        return found(client, election).leaseAlive();
    }

    /** Lets a lease that nobody keeps alive end, until a read tells that it is dead. */
    void letDie(Coordinator observer, ElectionName election, GrantedLease lease) {
        rig.passTime(lease.timeToLive());
        within(untilToldDead(observer, lease), "the death of a lease", () -> !isAlive(observer, election));
    }

    /** The same, with something that is done meanwhile, three times in the length of that lease. */
    void letDieWhile(Coordinator observer, ElectionName election, GrantedLease lease, Runnable meanwhile) {
        Duration third = lease.timeToLive().dividedBy(3);
        AtomicLong due = new AtomicLong(rig.timeline().nanos() + third.toNanos());
        Runnable inTime = () -> {
            if (rig.timeline().nanos() - due.get() >= 0) {
                meanwhile.run();
                due.set(rig.timeline().nanos() + third.toNanos());
            }
        };
        for (int i = 0; i < 3; i++) {
            rig.passTime(third);
            inTime.run();
        }
        within(untilToldDead(observer, lease), "the death of a lease", () -> {
            inTime.run();
            return !isAlive(observer, election);
        });
    }

    private static Duration untilToldDead(Coordinator observer, GrantedLease lease) {
        Capabilities can = observer.capabilities();
        boolean countsItself = can.expiryJudgedBy() == Capabilities.ExpiryClock.OBSERVER;
        Duration observed = countsItself ? lease.timeToLive() : Duration.ZERO;
        return observed.plus(can.expiryLag());
    }

    void assertLost(CompletionStage<?> call) {
        assertThat(failure(call)).isInstanceOf(LeaseLostException.class);
    }

    /** Each candidate's clock tells another time, of which none says who enlisted first. */
    Enlisted enlisted(String name, LeaseId lease) {
        return new Enlisted(candidate(name), lease, NOON.minusSeconds(name.hashCode()), Set.of());
    }

    /** The names of those who stand, in order. */
    List<String> standing(Coordinator client, ElectionName election) {
        var lists = get(client.candidates(Set.of(election)));
        assertThat(lists).containsOnlyKeys(election);
        return lists.getOrDefault(election, List.of()).stream()
                .map(one -> one.candidate().name())
                .toList();
    }
}
