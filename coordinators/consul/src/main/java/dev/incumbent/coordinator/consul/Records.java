package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.ConsulClient;
import dev.incumbent.consul.Entry;
import dev.incumbent.consul.Outcome;
import dev.incumbent.consul.Txn;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Records: each a key, and a marker key whose name bears its nonce. A swap compares both in one transaction: the record's index, which a restored store hands out
 * again, and the marker, which it cannot.
 */
final class Records {
    private final ConsulClient store;
    private final Keys keys;
    private final Leases leases;

    Records(ConsulClient store, Keys keys, Leases leases) {
        this.store = store;
        this.keys = keys;
        this.leases = leases;
    }

    CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections, long deadline) {
        Lives lives = lives(deadline);
        return Parts.joined(
                Parts.of(elections), part -> readPart(part, deadline, lives), (election, failure) -> unread(failure));
    }

    /** How does a lease stand? Each is asked once a reading: whoever names it here read its name after it was granted. */
    private interface Lives extends Function<LeaseId, CompletionStage<LeaseStatus>> {}

    private Lives lives(long deadline) {
        Map<LeaseId, CompletionStage<LeaseStatus>> asked = new ConcurrentHashMap<>();
        return lease -> asked.computeIfAbsent(lease, it -> leases.status(it, deadline));
    }

    /** First the records, all in one transaction, then the leases that they name. */
    private CompletionStage<Map<ElectionName, Reading>> readPart(List<ElectionName> part, long deadline, Lives lives) {
        Txn txn = new Txn();
        part.forEach(election -> txn.getTree(keys.election(election)));
        return store.read(txn, "reading " + keys.election(part.get(0)) + Parts.more(part), deadline)
                .thenCompose(entries -> {
                    Map<Optional<ElectionName>, List<Entry>> found =
                            entries.stream().collect(Collectors.groupingBy(entry -> keys.electionOf(entry.key())));
                    Map<ElectionName, CompletionStage<Reading>> readings = new HashMap<>();
                    for (ElectionName election : part) {
                        List<Entry> there = found.getOrDefault(Optional.of(election), List.of());
                        readings.put(
                                election,
                                there.isEmpty() ? confirmed(election, deadline) : understood(election, there, lives));
                    }
                    return Parts.settled(readings, (election, failure) -> unread(failure));
                });
    }

    private static Reading unread(CoordinatorException failure) {
        return new Reading.Unread(String.valueOf(failure.getMessage()));
    }

    /** Nothing was told of it: is it not there, or denied? Where it has come meanwhile, it is read again. */
    private CompletionStage<Reading> confirmed(ElectionName election, long deadline) {
        return store.find(keys.record(election), deadline)
                .thenCompose(found -> found.isEmpty()
                        ? CompletableFuture.completedStage(new Reading.Absent())
                        : readPart(List.of(election), deadline, lives(deadline))
                                .thenApply(readings -> readings.getOrDefault(
                                        election, new Reading.Unread(election + " was not told"))));
    }

    private CompletionStage<Reading> understood(ElectionName election, List<Entry> there, Lives lives) {
        Optional<Entry> entry = there.stream()
                .filter(one -> one.key().equals(keys.record(election)))
                .findFirst();
        Set<String> markers = there.stream()
                .flatMap(one -> keys.nonceOf(one.key()).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        if (entry.isEmpty()) {
            return foreign(new Position(0, ""), "a marker stands beside no record: " + markers);
        }
        LeaderRecord record;
        try {
            record = RecordJson.read(entry.get().value());
        } catch (UnreadableRecordException e) {
            return foreign(new Position(entry.get().modifyIndex(), ""), String.valueOf(e.getMessage()));
        }
        Position position = new Position(entry.get().modifyIndex(), record.nonce());
        if (!markers.equals(Set.of(record.nonce()))) {
            return foreign(
                    position, "the record's nonce is " + record.nonce() + ", and its marker keys are " + markers);
        }
        CompletionStage<LeaseStatus> status =
                record.lease().map(lives).orElseGet(() -> CompletableFuture.completedStage(LeaseStatus.DEAD));
        return status.thenApply(
                it -> new Reading.Found(new ObservedRecord(record, position.revision(), it.isAlive(), left(it))));
    }

    /** Consul tells what is left of no lease, but that nothing is left of one whose session has ended. */
    private static Optional<Duration> left(LeaseStatus status) {
        return status == LeaseStatus.ENDED ? Optional.of(Duration.ZERO) : Optional.empty();
    }

    private static CompletionStage<Reading> foreign(Position position, String why) {
        return CompletableFuture.completedStage(new Reading.Foreign(position.revision(), why));
    }

    CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next, long deadline) {
        String text = RecordJson.write(next);
        Txn txn = new Txn();
        if (expected.equals(Revision.ABSENT)) {
            txn.cas(keys.record(election), 0, text);
        } else {
            Optional<Position> position = Position.of(expected);
            if (position.isEmpty()) {
                return refused(election, next, deadline);
            }
            String marker = keys.marker(election, position.get().nonce());
            txn.get(marker)
                    .delete(marker)
                    .cas(keys.record(election), position.get().index(), text);
        }
        txn.set(keys.marker(election, next.nonce()), "");
        String doing = "swapping " + keys.record(election);
        return store.apply(txn, doing, deadline).thenCompose(outcome -> {
            if (outcome instanceof Outcome.Done done) {
                return CompletableFuture.completedStage(accepted(election, next, done));
            }
            return refused(election, next, deadline);
        });
    }

    private Swap accepted(ElectionName election, LeaderRecord next, Outcome.Done done) {
        long index = done.entries().stream()
                .filter(entry -> entry.key().equals(keys.record(election)))
                .mapToLong(Entry::modifyIndex)
                .findFirst()
                .orElseThrow(() -> new CoordinatorException(
                        "Consul applied a swap of " + keys.record(election) + " and did not tell its index", true));
        return new Swap.Accepted(new Position(index, next.nonce()).revision());
    }

    /** What stands there instead; it may be this very swap, sent earlier. Consul does not tell with a refusal. */
    private CompletionStage<Swap> refused(ElectionName election, LeaderRecord next, long deadline) {
        return readPart(List.of(election), deadline, lives(deadline)).thenApply(readings -> {
            Reading reading = readings.getOrDefault(election, new Reading.Unread("not told"));
            if (reading instanceof Reading.Found found) {
                ObservedRecord current = found.record();
                return current.record().nonce().equals(next.nonce())
                        ? new Swap.Accepted(current.revision())
                        : new Swap.Refused(Optional.of(current));
            }
            if (reading instanceof Reading.Unread unread) {
                throw new CoordinatorException(
                        "swapping " + keys.record(election) + " was refused, and what is there could not be read: "
                                + unread.why(),
                        true);
            }
            return new Swap.Refused(Optional.empty());
        });
    }

    CompletionStage<List<ElectionName>> list(String prefix, long deadline) {
        CompletionStage<List<String>> records = store.list(keys.elections() + prefix, keys.elections(), deadline);
        CompletionStage<List<String>> candidacies =
                store.list(keys.candidacies() + prefix, keys.candidacies(), deadline);
        return records.thenCombine(candidacies, (some, more) -> {
            Set<ElectionName> names = new TreeSet<>();
            some.forEach(key -> keys.electionOf(key).ifPresent(names::add));
            more.forEach(key -> keys.electionOf(key).ifPresent(names::add));
            names.removeIf(name -> !isBeneath(name.value(), prefix));
            return List.copyOf(names);
        });
    }

    private static boolean isBeneath(String name, String prefix) {
        return prefix.isEmpty() || name.equals(prefix) || name.startsWith(prefix + "/");
    }
}
