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
 * Leases: each a session, and a key that it locks and that is deleted with it. That key is the lease's life for its holder: also a keep-alive looks at it, so that a key
 * removed by hand ends the lease for its owner too. Others consider the lease alive until its {@link Promises promise} is buried.
 *
 * <p>Consul ends a session once it is silent for twice its length. So a session has half the length of its lease, where Consul grants so short a one: a lease that nobody
 * keeps alive is dead after twice its length.
 */
final class Leases {
    private static final Duration LONGEST = Duration.ofHours(24);
    private static final Pattern SESSION = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final int NOT_FOUND = 404;
    private static final int MOST_REMEMBERED = 4_096;

    private final ConsulClient store;
    private final Keys keys;
    private final Promises promises;
    private final Duration floor;

    /** Whose session was told gone: it is gone for this process, also where a restored store brings it back. */
    private final Set<LeaseId> ended = remembering();

    /** Told dead, and so for ever. */
    private final Set<LeaseId> dead = remembering();

    Leases(ConsulClient store, Keys keys, Promises promises, Duration floor) {
        this.store = store;
        this.keys = keys;
        this.promises = promises;
        this.floor = floor;
    }

    private static Set<LeaseId> remembering() {
        return Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<LeaseId, Boolean> eldest) {
                return size() > MOST_REMEMBERED;
            }
        }));
    }

    CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive, long deadlineNanos) {
        Duration length = longer(timeToLive, floor);
        if (length.compareTo(LONGEST) > 0) {
            return CompletableFuture.failedStage(new CoordinatorUnusableException("Consul grants leases of at most "
                    + LONGEST.toSeconds() + " s, asked was one of " + length.toSeconds() + " s"));
        }
        Duration silence = longer(length.dividedBy(2), floor);
        String session = "{\"Name\":\"incumbent\",\"TTL\":\""
                + silence.plusNanos(999_999).toMillis()
                + "ms\",\"LockDelay\":\"0s\",\"Behavior\":\"delete\",\"Checks\":[],\"NodeChecks\":[],\"ServiceChecks\":[]}";
        return store.ask(Question.put("/v1/session/create", session, "creating a session", deadlineNanos))
                .thenApply(Leases::sessionOf)
                .thenCompose(id -> store.apply(
                                promises.make(new Txn().lock(keys.lease(id), id.value(), owner.value()), id, length),
                                "writing " + keys.lease(id),
                                deadlineNanos)
                        .thenApply(outcome -> granted(id, length, outcome)));
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
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

    /** Succeeds only where the lease's key was still there after this was sent. */
    CompletionStage<Void> keepAlive(LeaseId lease, long deadlineNanos) {
        if (!mayBeHeld(lease)) {
            return CompletableFuture.failedStage(new LeaseLostException(lease, "Consul has no such session"));
        }
        Question renewal = Question.put("/v1/session/renew/" + lease, "", "renewing session " + lease, deadlineNanos)
                .urgently();
        CompletionStage<Boolean> renewed = store.ask(renewal).thenApply(answer -> isRenewed(lease, answer));
        Question look = question(lease, deadlineNanos).urgently();
        return renewed.thenAcceptBoth(isHeld(lease, look), (inTime, isThere) -> {
            if (!inTime || !isThere) {
                ended.add(lease);
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

    /** First the promise, so that the lease is dead for everybody as soon as its session has ended. */
    CompletionStage<Void> revoke(LeaseId lease, long deadlineNanos) {
        if (!isSession(lease) || dead.contains(lease)) {
            return CompletableFuture.completedStage(null);
        }
        Question destroy =
                Question.put("/v1/session/destroy/" + lease, "", "destroying session " + lease, deadlineNanos);
        return promises.withdraw(lease, deadlineNanos)
                .thenCompose(withdrawn -> store.ask(destroy))
                .thenAccept(answer -> {
                    answer.json();
                    dead.add(lease);
                });
    }

    /** How it stands for who does not hold it. Once this was {@link LeaseStatus#DEAD}, it is so for ever. */
    CompletionStage<LeaseStatus> status(LeaseId lease, long deadlineNanos) {
        if (!isSession(lease) || dead.contains(lease)) {
            return CompletableFuture.completedStage(LeaseStatus.DEAD);
        }
        if (ended.contains(lease)) {
            return withoutSession(lease, deadlineNanos);
        }
        return isHeld(lease, question(lease, deadlineNanos)).thenCompose(isHeld -> {
            if (!isHeld) {
                ended.add(lease);
                return withoutSession(lease, deadlineNanos);
            }
            promises.forget(lease);
            return CompletableFuture.completedStage(LeaseStatus.HELD);
        });
    }

    private CompletionStage<LeaseStatus> withoutSession(LeaseId lease, long deadlineNanos) {
        return promises.status(lease, deadlineNanos).thenApply(status -> {
            if (!status.isAlive()) {
                dead.add(lease);
            }
            return status;
        });
    }

    private Question question(LeaseId lease, long deadlineNanos) {
        String key = keys.lease(lease);
        return Question.get("/v1/kv/" + key + "?consistent", "reading " + key, deadlineNanos);
    }

    private CompletionStage<Boolean> isHeld(LeaseId lease, Question look) {
        return store.find(look)
                .thenApply(found -> found.flatMap(Entry::session)
                        .filter(lease.value()::equals)
                        .isPresent());
    }

    boolean mayBury() {
        return promises.mayBury();
    }

    /** How long others wait yet, where its session has ended; see {@link Promises#left}. */
    Duration left(LeaseId lease) {
        return promises.left(lease);
    }

    /** False for what is no session's id, or whose session was told gone. */
    boolean mayBeHeld(LeaseId lease) {
        return isSession(lease) && !ended.contains(lease) && !dead.contains(lease);
    }

    private static boolean isSession(LeaseId lease) {
        return SESSION.matcher(lease.value()).matches();
    }

    /** Its session was told gone. */
    void hasEnded(LeaseId lease) {
        ended.add(lease);
    }
}
