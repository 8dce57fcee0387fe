package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.KeyValue;
import dev.incumbent.etcd.Txn;
import dev.incumbent.etcd.TxnReply;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The records: asked for by the hundred, and swapped one by one. All reads are etcd's linearizable ones. */
final class Records {
    /** At most so many keys are asked for in one transaction. */
    static final int MOST = 100;

    /** So many leases may be asked for with them. */
    private static final int MOST_NAMED = 8;

    private final EtcdClient client;
    private final Keys keys;
    private final Timeline timeline;
    private final Duration bound;

    /** Those that records named last, asked for with the next records: who asks for many of one leader has both in one answer. */
    private volatile Set<LeaseId> named = Set.of();

    Records(EtcdClient client, Keys keys, Timeline timeline, Duration bound) {
        this.client = client;
        this.keys = keys;
        this.timeline = timeline;
        this.bound = bound;
    }

    Timeline timeline() {
        return timeline;
    }

    /** Reads any number of elections, each chunk by {@code look}. */
    static CompletionStage<Map<ElectionName, Reading>> read(
            Set<ElectionName> elections, Function<List<ElectionName>, CompletionStage<Sightings>> look) {
        List<CompletableFuture<Map<ElectionName, Reading>>> parts = new ArrayList<>();
        for (List<ElectionName> chunk : chunks(elections)) {
            parts.add(look.apply(chunk).thenApply(Sightings::readings).toCompletableFuture());
        }
        return CompletableFuture.allOf(parts.toArray(new CompletableFuture<?>[0]))
                .handle((done, failure) -> together(elections, parts));
    }

    /** What the parts found. A part that failed spoils no other; where all failed, the read did. */
    private static Map<ElectionName, Reading> together(
            Set<ElectionName> elections, List<CompletableFuture<Map<ElectionName, Reading>>> parts) {
        Map<ElectionName, Reading> readings = new HashMap<>();
        String why = "";
        for (CompletableFuture<Map<ElectionName, Reading>> part : parts) {
            if (part.isCompletedExceptionally()) {
                why = part.handle((value, failure) ->
                                String.valueOf(Failures.of(failure).getMessage()))
                        .join();
            } else {
                readings.putAll(part.join());
            }
        }
        if (readings.isEmpty() && !parts.isEmpty()) {
            parts.get(0).join();
        }
        for (ElectionName election : elections) {
            readings.putIfAbsent(election, new Reading.Unread(why));
        }
        return readings;
    }

    static <T> List<List<T>> chunks(Collection<T> all) {
        List<T> left = new ArrayList<>(all);
        List<List<T>> chunks = new ArrayList<>();
        for (int from = 0; from < left.size(); from += MOST) {
            chunks.add(left.subList(from, Math.min(left.size(), from + MOST)));
        }
        return chunks;
    }

    /** Reads some records, with the leases that records named last; then such leases as only these name. */
    CompletionStage<Sightings> look(List<ElectionName> elections) {
        long sentAt = timeline.nanos();
        List<LeaseId> asked = List.copyOf(named);
        Txn gets = new Txn();
        elections.forEach(election -> gets.get(keys.record(election)));
        asked.forEach(lease -> gets.get(keys.lease(lease)));
        return client.txn(gets).thenCompose(reply -> {
            Map<ElectionName, StoredRecord> records = new HashMap<>();
            Set<LeaseId> leases = new TreeSet<>();
            for (int i = 0; i < elections.size(); i++) {
                StoredRecord record = stored(reply, i);
                record.lease().ifPresent(leases::add);
                records.put(elections.get(i), record);
            }
            if (!leases.isEmpty()) {
                named = leases.size() <= MOST_NAMED ? Set.copyOf(leases) : Set.of();
            }
            Set<LeaseId> alive = found(asked, reply, elections.size());
            leases.removeAll(asked);
            return within(sentAt, alive(leases)).thenApply(more -> {
                alive.addAll(more);
                return new Sightings(sentAt, reply.revision(), records, alive);
            });
        });
    }

    private static Set<LeaseId> found(List<LeaseId> asked, TxnReply reply, int from) {
        Set<LeaseId> found = new HashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            if (!reply.found(from + i).isEmpty()) {
                found.add(asked.get(i));
            }
        }
        return found;
    }

    private static StoredRecord stored(TxnReply reply, int operation) {
        List<KeyValue> found = reply.found(operation);
        return found.isEmpty() ? StoredRecord.ABSENT : StoredRecord.of(found.get(0));
    }

    /** What is asked second ends within the same bound. */
    private <T> CompletionStage<T> within(long sinceNanos, CompletionStage<T> stage) {
        long left = Math.max(0, bound.toNanos() - (timeline.nanos() - sinceNanos));
        return stage.toCompletableFuture().orTimeout(left, TimeUnit.NANOSECONDS);
    }

    /** Those of these leases that are alive. */
    private CompletionStage<Set<LeaseId>> alive(Set<LeaseId> leases) {
        if (leases.isEmpty()) {
            return CompletableFuture.completedFuture(Set.of());
        }
        List<LeaseId> asked = List.copyOf(leases);
        Txn gets = new Txn();
        asked.forEach(lease -> gets.get(keys.lease(lease)));
        return client.txn(gets).thenApply(reply -> found(asked, reply, 0));
    }

    CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        long sentAt = timeline.nanos();
        String key = keys.record(election);
        Txn swap = StoredRecord.ifStillAt(new Txn(), key, expected)
                .put(key, StoredRecord.text(next))
                .otherwise()
                .get(key);
        return client.txn(swap).thenCompose(reply -> {
            if (reply.succeeded()) {
                return accepted(reply.revision(), next);
            }
            StoredRecord current = stored(reply, 0);
            boolean isMine = current.record()
                    .filter(it -> it.nonce().equals(next.nonce()))
                    .isPresent();
            return isMine ? accepted(current.modRevision(), next) : refused(current, sentAt);
        });
    }

    private static CompletionStage<Swap> accepted(long modRevision, LeaderRecord record) {
        return CompletableFuture.completedFuture(new Swap.Accepted(StoredRecord.revision(modRevision, record)));
    }

    /** With the record as it is, if its leader's lease can be told, too. */
    private CompletionStage<Swap> refused(StoredRecord current, long sentAt) {
        Set<LeaseId> lease = current.lease().map(Set::of).orElse(Set.of());
        return within(sentAt, alive(lease)).handle((alive, failure) -> {
            Optional<ObservedRecord> told = failure == null ? current.observed(!alive.isEmpty()) : Optional.empty();
            return new Swap.Refused(told);
        });
    }
}
