package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Leases that a majority of masters holds: Redlock's, with its drift taken off. The holder counts from before its request to all of them left, so that what it
 * took to ask is counted already. A lease is told dead once a majority bears its tombstone: then no majority can ever keep it alive again.
 */
final class MajorityLeases {
    private static final int DRIFT_PERCENT = 1;
    private static final int DRIFT_MILLIS = 2;

    /** One request reaches the masters within less than this as a rule; where they differ by more, a keep-alive may be on its way to some. */
    private static final long SPREAD_MILLIS = 100;

    private final Masters masters;
    private final Keys keys;

    MajorityLeases(Masters masters, Keys keys) {
        this.masters = masters;
        this.keys = keys;
    }

    /** How long it lives at each master so that, the drift taken off, what is asked for is left. */
    static long millisAtMasters(Duration asked) {
        long millis = asked.plusNanos(999_999).toMillis();
        return ((millis + DRIFT_MILLIS) * 100 + (100 - DRIFT_PERCENT) - 1) / (100 - DRIFT_PERCENT);
    }

    /** What holds of a lease that lives that long at each master: less one hundredth and two milliseconds, as published. */
    static Duration lessDrift(long millisAtMasters) {
        return Duration.ofMillis(millisAtMasters - driftMillis(millisAtMasters));
    }

    private static long driftMillis(long millisAtMasters) {
        return (millisAtMasters * DRIFT_PERCENT + 99) / 100 + DRIFT_MILLIS;
    }

    /** What is left of each lease at a master, less the drift of its whole length, as its holder counts; 0 where it is dead, -1 where it is missing. */
    private static List<Long> left(List<Long> leftAndLength) {
        return IntStream.range(0, leftAndLength.size() / 2)
                .mapToObj(index -> left(leftAndLength.get(2 * index), leftAndLength.get(2 * index + 1)))
                .toList();
    }

    private static long left(long left, long length) {
        return left <= 0 ? left : Math.max(1, left - driftMillis(length));
    }

    CompletableFuture<GrantedLease> grant(CandidateId owner, Duration timeToLive, long deadlineNanos) {
        LeaseId id = new LeaseId(UUID.randomUUID().toString());
        long millis = millisAtMasters(timeToLive) + 1;
        Request grant = Request.writing(
                Script.GRANT, List.of(keys.lease(id)), List.of(millis + " " + owner.value(), Long.toString(millis)));
        return masters.ask(grant, Reply::isYes, deadlineNanos, this::majorityOfYes)
                .thenApply(granted -> {
                    if (!granted) {
                        throw new LeaseLostException(id, "its id was granted before");
                    }
                    return new GrantedLease(id, lessDrift(millis));
                });
    }

    CompletableFuture<Boolean> keepAlive(LeaseId lease, long deadlineNanos) {
        Request keep = Request.writing(Script.KEEP, List.of(keys.lease(lease)), List.of(Keys.TOMBSTONE_MILLIS));
        return masters.ask(keep, Reply::isYes, deadlineNanos, this::majorityOfYes)
                .thenApply(alive -> {
                    if (!alive) {
                        throw new LeaseLostException(
                                lease, "a majority of the masters says that it ended, or was never granted");
                    }
                    return true;
                });
    }

    CompletableFuture<Boolean> revoke(LeaseId lease, long deadlineNanos) {
        Request revoke = Request.writing(
                Script.REVOKE,
                List.of(keys.lease(lease), keys.version()),
                List.of(Keys.TOMBSTONE_MILLIS, keys.changes(), lease.value()));
        return masters.ask(revoke, Reply::isYes, deadlineNanos, this::majorityOfYes);
    }

    /** True if a majority says so, false if a majority denies it. */
    private Optional<Boolean> majorityOfYes(List<Boolean> said) {
        long yes = said.stream().filter(one -> one).count();
        if (yes >= masters.majority()) {
            return Optional.of(true);
        }
        return said.size() - yes >= masters.majority() ? Optional.of(false) : Optional.empty();
    }

    /** What is known of these leases: who cannot be told dead by a majority lives on, as far as anybody is told. */
    CompletableFuture<Map<LeaseId, Seen.Lease>> look(List<LeaseId> leases, long deadlineNanos) {
        if (leases.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        return ask(leases, List.of(), deadlineNanos).thenCompose(found -> {
            List<LeaseId> doubtful =
                    leases.stream().filter(one -> !found.containsKey(one)).toList();
            return doubtful.isEmpty()
                    ? CompletableFuture.completedFuture(found)
                    : bury(doubtful, deadlineNanos).thenApply(rest -> {
                        Map<LeaseId, Seen.Lease> all = new HashMap<>(found);
                        all.putAll(rest);
                        return all;
                    });
        });
    }

    /** Buries where a lease is missing, and then tells those dead that a majority holds for dead. */
    private CompletableFuture<Map<LeaseId, Seen.Lease>> bury(List<LeaseId> doubtful, long deadlineNanos) {
        return ask(doubtful, List.of(Keys.TOMBSTONE_MILLIS), deadlineNanos).thenApply(found -> {
            Map<LeaseId, Seen.Lease> all = new HashMap<>(found);
            doubtful.forEach(one -> all.putIfAbsent(one, new Seen.Lease(true, Optional.empty())));
            return all;
        });
    }

    private CompletableFuture<Map<LeaseId, Seen.Lease>> ask(
            List<LeaseId> leases, List<String> tombstone, long deadlineNanos) {
        List<String> all = new ArrayList<>(List.of(keys.nothing()));
        leases.forEach(lease -> all.add(keys.lease(lease)));
        return masters.askPatiently(
                Request.reading(Script.LEASES, all, tombstone),
                reply -> left(reply.items().stream().map(Reply::number).toList()),
                deadlineNanos,
                said -> mayAnotherDecide(leases.size(), said) ? Optional.empty() : Optional.of(decided(leases, said)),
                said -> Optional.of(decided(leases, said)));
    }

    /**
     * Is there a lease that lives for a majority, or for longer, if one more master says so? A grant or a keep-alive that a majority has may be on its way to the
     * others: whoever met those first and waited for nobody would bury the lease there, or tell that it ends earlier than it does.
     */
    private boolean mayAnotherDecide(int leases, List<List<Long>> said) {
        return IntStream.range(0, leases)
                .mapToObj(index -> longestFirst(said, index))
                .anyMatch(left -> mayAnotherDecide(left));
    }

    private boolean mayAnotherDecide(List<Long> left) {
        int majority = masters.majority();
        long alive = left.stream().filter(one -> one > 0).count();
        if (alive < majority) {
            return alive > 0 && left.size() - alive < majority;
        }
        return left.get(majority - 2) - left.get(majority - 1) > SPREAD_MILLIS;
    }

    private static List<Long> longestFirst(List<List<Long>> said, int index) {
        return said.stream()
                .map(one -> one.get(index))
                .sorted(Comparator.reverseOrder())
                .toList();
    }

    /** Those on which a majority agrees. */
    private Map<LeaseId, Seen.Lease> decided(List<LeaseId> leases, List<List<Long>> said) {
        Map<LeaseId, Seen.Lease> decided = new HashMap<>();
        for (int i = 0; i < leases.size(); i++) {
            List<Long> left = longestFirst(said, i);
            long dead = left.stream().filter(one -> one == 0).count();
            if (left.get(masters.majority() - 1) > 0) {
                decided.put(leases.get(i), Seen.Lease.alive(left.get(masters.majority() - 1)));
            } else if (dead >= masters.majority()) {
                decided.put(leases.get(i), Seen.Lease.DEAD);
            }
        }
        return decided;
    }

    /** Fails where the lease is dead, or where no majority says that it lives. */
    static void requireAlive(LeaseId lease, Map<LeaseId, Seen.Lease> looked, String forWhat) {
        Seen.Lease found = looked.getOrDefault(lease, Seen.Lease.DEAD);
        if (!found.isAlive()) {
            throw new LeaseLostException(lease, forWhat);
        }
        if (found.remaining().isEmpty()) {
            throw new CoordinatorException("no majority of the masters says that lease " + lease + " lives", false);
        }
    }
}
