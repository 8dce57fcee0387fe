package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.kubernetes.Stored.Kind;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * Leases of the SPI, each a Lease object of its own. One is alive for as long as its object is there. Who sees it overdue deletes it, if it still
 * is as it was seen, and only then tells it dead: so a keep-alive and a burial race for one object, and one of them wins.
 */
final class Sessions {
    static final Duration FLOOR = Duration.ofSeconds(2);

    /** So many are remembered as granted here; the length of one that is forgotten is not written again. */
    private static final int MOST_GRANTED = 100;

    private final Leases leases;
    private final Failures failures;
    private final Timeline timeline;
    private final Mode mode;
    private final Vigil vigil = new Vigil();

    /** Hears the position of each write of ours. */
    private final LongConsumer written;

    /** In seconds. Contenders count by the object's own length, and anybody may edit that: so each keep-alive writes it again. */
    private final Map<LeaseId, Long> granted = Collections.synchronizedMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LeaseId, Long> eldest) {
            return size() > MOST_GRANTED;
        }
    });

    Sessions(Leases leases, Failures failures, Timeline timeline, Mode mode, LongConsumer written) {
        this.leases = leases;
        this.failures = failures;
        this.timeline = timeline;
        this.mode = mode;
        this.written = written;
    }

    Vigil vigil() {
        return vigil;
    }

    CompletableFuture<GrantedLease> grant(Errand<?> errand, CandidateId owner, Duration asked) {
        LeaseId id = Names.freshSession();
        long seconds = Leases.seconds(asked.compareTo(FLOOR) < 0 ? FLOOR : asked);
        String now = Leases.time(Instant.ofEpochMilli(timeline.wallMillis()));
        Ask create = leases.create(
                Kind.SESSION,
                id.value(),
                Map.of(),
                Map.of(Stored.RENEWAL, UUID.randomUUID().toString(), Stored.LENGTH, Long.toString(seconds)),
                Map.of(
                        "holderIdentity",
                        owner.value(),
                        "leaseDurationSeconds",
                        seconds,
                        "acquireTime",
                        now,
                        "renewTime",
                        now));
        return errand.ask(create).thenApply(answer -> {
            if (!answer.isGood()) {
                throw failures.ofAnswer(create, answer);
            }
            written.accept(answer.object().position());
            granted.put(id, seconds);
            return new GrantedLease(id, Duration.ofSeconds(seconds));
        });
    }

    /** One request, that knows nothing of the object's state but that it must be there. */
    CompletableFuture<Void> keepAlive(Errand<?> errand, LeaseId id) {
        if (!Names.isSession(id)) {
            return CompletableFuture.failedFuture(unknown(id));
        }
        List<Map<String, Object>> operations = new ArrayList<>(List.of(
                Leases.testKind(Kind.SESSION),
                Leases.setAnnotation(Stored.RENEWAL, UUID.randomUUID().toString()),
                Leases.set("/spec/renewTime", Leases.time(Instant.ofEpochMilli(timeline.wallMillis())))));
        Optional.ofNullable(granted.get(id))
                .ifPresent(seconds -> operations.add(Leases.set("/spec/leaseDurationSeconds", seconds)));
        Ask patch = leases.patch(id.value(), operations);
        return errand.ask(patch).thenAccept(answer -> {
            if (answer.isAbsent()) {
                vigil.forget(id);
                throw new LeaseLostException(id, "it was buried or revoked");
            }
            if (!answer.isGood()) {
                throw failures.ofAnswer(patch, answer);
            }
            written.accept(answer.object().position());
        });
    }

    CompletableFuture<Void> revoke(Errand<?> errand, LeaseId id) {
        if (!Names.isSession(id)) {
            return CompletableFuture.allOf();
        }
        Ask delete = leases.delete(id.value());
        return errand.ask(delete).thenAccept(answer -> {
            if (!answer.isGood() && !answer.isAbsent()) {
                throw failures.ofAnswer(delete, answer);
            }
            vigil.forget(id);
        });
    }

    /** Which of these are alive. */
    CompletableFuture<Set<LeaseId>> alive(Errand<?> errand, Set<LeaseId> ids) {
        Set<LeaseId> alive = new HashSet<>();
        List<CompletableFuture<?>> checks = new ArrayList<>();
        for (LeaseId id : ids) {
            checks.add(isAlive(errand, id).thenAccept(is -> note(alive, id, is)));
        }
        return CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new)).thenApply(done -> alive);
    }

    CompletableFuture<Boolean> isAlive(Errand<?> errand, LeaseId id) {
        if (!Names.isSession(id)) {
            return CompletableFuture.completedFuture(false);
        }
        Ask get = leases.get(id.value());
        return errand.ask(get).thenCompose(answer -> {
            if (answer.isAbsent()) {
                vigil.forget(id);
                return CompletableFuture.completedFuture(false);
            }
            if (!answer.isGood()) {
                throw failures.ofAnswer(get, answer);
            }
            return isAlive(errand, answer.object());
        });
    }

    /** Which of the sessions among these objects, just told, are alive; who is overdue is buried first. */
    CompletableFuture<Set<LeaseId>> aliveAmong(Errand<?> errand, List<Stored> objects) {
        Set<LeaseId> alive = new HashSet<>();
        List<CompletableFuture<?>> checks = new ArrayList<>();
        for (Stored object : objects) {
            if (object.isOf(Kind.SESSION)) {
                LeaseId id = new LeaseId(object.name());
                checks.add(isAlive(errand, object).thenAccept(is -> note(alive, id, is)));
            }
        }
        return CompletableFuture.allOf(checks.toArray(CompletableFuture[]::new)).thenApply(done -> alive);
    }

    private static void note(Set<LeaseId> alive, LeaseId id, boolean is) {
        if (is) {
            synchronized (alive) {
                alive.add(id);
            }
        }
    }

    private CompletableFuture<Boolean> isAlive(Errand<?> errand, Stored session) {
        if (!session.isOf(Kind.SESSION)) {
            return CompletableFuture.completedFuture(false);
        }
        boolean isOverdue = vigil.isOverdue(session, timeline.nanos());
        return isOverdue
                ? bury(errand, session).thenApply(isBuried -> !isBuried)
                : CompletableFuture.completedFuture(true);
    }

    /** Deletes a session if it still is as it was seen; false where it is not, or where that is not known. Nobody buries who may only read. */
    CompletableFuture<Boolean> bury(Errand<?> errand, Stored overdue) {
        if (mode == Mode.READ_ONLY) {
            return CompletableFuture.completedFuture(false);
        }
        return errand.ask(leases.delete(overdue))
                .thenApply(answer -> {
                    boolean isBuried = answer.isGood() || answer.isAbsent();
                    if (isBuried) {
                        vigil.forget(new LeaseId(overdue.name()));
                    }
                    return isBuried;
                })
                .exceptionally(unanswered -> false);
    }

    private static LeaseLostException unknown(LeaseId id) {
        return new LeaseLostException(id, "it was never granted here");
    }
}
