package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.Answer;
import dev.incumbent.consul.ConsulClient;
import dev.incumbent.consul.Entry;
import dev.incumbent.consul.Outcome;
import dev.incumbent.consul.Question;
import dev.incumbent.consul.Txn;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.regex.Pattern;

/**
 * Leases: each a session, and a key that it locks and that is deleted with it. That key is the lease's life, for whoever asks: also a keep-alive looks at it, so
 * that a key removed by hand ends the lease for its owner too.
 */
final class Leases {
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final Pattern SESSION = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int NOT_FOUND = 404;
    private static final int MOST_REMEMBERED = 4_096;

    private final ConsulClient store;
    private final Keys keys;
    private final Duration floor;

    /** Told dead, hence dead for this process, also where a restored store brings it back. */
    private final Set<LeaseId> dead = Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<LeaseId, Boolean> eldest) {
            return size() > MOST_REMEMBERED;
        }
    }));

    Leases(ConsulClient store, Keys keys, Duration floor) {
        this.store = store;
        this.keys = keys;
        this.floor = floor;
    }

    CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive, long deadlineNanos) {
        Duration length = timeToLive.compareTo(floor) < 0 ? floor : timeToLive;
        if (length.compareTo(LONGEST) > 0) {
            return CompletableFuture.failedStage(new CoordinatorUnusableException(
                    "Consul grants leases of at most " + LONGEST + ", asked was one of " + length));
        }
        String session =
                "{\"Name\":\"incumbent\",\"TTL\":\"" + length.plusNanos(999_999).toMillis()
                        + "ms\",\"LockDelay\":\"0s\",\"Behavior\":\"delete\",\"Checks\":[],\"NodeChecks\":[],\"ServiceChecks\":[]}";
        return store.ask(Question.put("/v1/session/create", session, "creating a session", deadlineNanos))
                .thenApply(Leases::sessionOf)
                .thenCompose(id -> store.apply(
                                new Txn().lock(keys.lease(id), id.value(), owner.value()),
                                "writing " + keys.lease(id),
                                deadlineNanos)
                        .thenApply(outcome -> granted(id, length, outcome)));
    }

    private static LeaseId sessionOf(Answer answer) {
        if (answer.body().contains("Invalid Session TTL")) {
            throw new CoordinatorUnusableException(answer.from() + " grants no such lease: "
                    + answer.body().strip() + " (session-ttl-min-ms must be what its servers' session_ttl_min is)");
        }
        return new LeaseId(answer.json().at("ID").text());
    }

    private static GrantedLease granted(LeaseId id, Duration length, Outcome outcome) {
        if (outcome instanceof Outcome.Refused refused) {
            throw new CoordinatorException("session " + id + " ended before it was granted: " + refused.why(), false);
        }
        return new GrantedLease(id, length);
    }

    CompletionStage<Void> keepAlive(LeaseId lease, long deadlineNanos) {
        if (!mayLive(lease)) {
            return CompletableFuture.failedStage(new LeaseLostException(lease, "Consul has no such session"));
        }
        Question renewal = Question.put("/v1/session/renew/" + lease, "", "renewing session " + lease, deadlineNanos)
                .urgently();
        CompletionStage<Boolean> renewed = store.ask(renewal).thenApply(answer -> isRenewed(lease, answer));
        return renewed.thenAcceptBoth(isAlive(lease, deadlineNanos, true), (inTime, isThere) -> {
            if (!inTime || !isThere) {
                dead.add(lease);
                throw new LeaseLostException(
                        lease, inTime ? "its key " + keys.lease(lease) + " is gone" : "Consul ended its session");
            }
        });
    }

    private static boolean isRenewed(LeaseId lease, Answer answer) {
        if (answer.isOk()) {
            return true;
        }
        if (answer.is(NOT_FOUND) && answer.body().contains(lease.value())) {
            return false;
        }
        throw answer.failure();
    }

    CompletionStage<Void> revoke(LeaseId lease, long deadlineNanos) {
        if (!mayLive(lease)) {
            return CompletableFuture.completedStage(null);
        }
        return store.ask(Question.put("/v1/session/destroy/" + lease, "", "destroying session " + lease, deadlineNanos))
                .thenAccept(answer -> {
                    answer.json();
                    dead.add(lease);
                });
    }

    /** Does it live? Once this was false, it is false for ever. */
    CompletionStage<Boolean> isAlive(LeaseId lease, long deadlineNanos) {
        return isAlive(lease, deadlineNanos, false);
    }

    private CompletionStage<Boolean> isAlive(LeaseId lease, long deadlineNanos, boolean urgently) {
        if (!mayLive(lease)) {
            return CompletableFuture.completedStage(false);
        }
        String key = keys.lease(lease);
        Question question = Question.get("/v1/kv/" + key + "?consistent", "reading " + key, deadlineNanos);
        return store.find(urgently ? question.urgently() : question).thenApply(found -> {
            boolean isAlive =
                    found.flatMap(Entry::session).filter(lease.value()::equals).isPresent();
            if (!isAlive) {
                dead.add(lease);
            }
            return isAlive;
        });
    }

    /** False for what is no session's id, or was told dead. */
    boolean mayLive(LeaseId lease) {
        return SESSION.matcher(lease.value()).matches() && !dead.contains(lease);
    }

    void isDead(LeaseId lease) {
        dead.add(lease);
    }
}
