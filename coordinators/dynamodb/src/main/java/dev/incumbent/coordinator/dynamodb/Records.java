package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.dynamodb.Table.Write;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Records, an item each, and the index of their names. A swap is one request, on the condition that the record's nonce is still the one expected. */
final class Records {
    private final Table table;
    private final Sessions sessions;
    private final Timeline timeline;

    Records(Table table, Sessions sessions, Timeline timeline) {
        this.table = table;
        this.sessions = sessions;
        this.timeline = timeline;
    }

    /**
     * What a look found.
     *
     * @param sentAtNanos the instant before each was asked for
     * @param unread why those of no answer have none
     */
    record Look(Map<ElectionName, Seen> seen, Map<ElectionName, Long> sentAtNanos, Map<ElectionName, String> unread) {
        Map<ElectionName, Reading> readings() {
            Map<ElectionName, Reading> readings = new LinkedHashMap<>();
            unread.forEach((election, why) -> readings.put(election, new Reading.Unread(why)));
            sentAtNanos
                    .keySet()
                    .forEach(election -> readings.put(
                            election, seen.getOrDefault(election, Seen.NOTHING).reading()));
            return readings;
        }

        /** Of looks that have ended, one a batch. One that failed spoils no other, but all together are a failure. */
        static Look together(Map<List<ElectionName>, CompletableFuture<Look>> batches) {
            Look all = new Look(new LinkedHashMap<>(), new LinkedHashMap<>(), new LinkedHashMap<>());
            batches.forEach((batch, look) -> {
                if (look.isCompletedExceptionally()) {
                    String why = look.handle((none, failure) -> String.valueOf(failure.getMessage()))
                            .join();
                    batch.forEach(election -> all.unread.put(election, why));
                } else {
                    all.seen.putAll(look.join().seen);
                    all.sentAtNanos.putAll(look.join().sentAtNanos);
                }
            });
            if (all.sentAtNanos.isEmpty()) {
                batches.values().forEach(CompletableFuture::join);
            }
            return all;
        }
    }

    /** First the records of a batch, then their leaders' leases. */
    Look look(TableCall<?> call, List<ElectionName> batch) {
        long sentAt = timeline.nanos();
        Map<ElectionName, Seen> seen = seen(call, batch);
        Map<ElectionName, Long> sent = new LinkedHashMap<>();
        batch.forEach(election -> sent.put(election, sentAt));
        return new Look(seen, sent, Map.of());
    }

    private Map<ElectionName, Seen> seen(TableCall<?> call, List<ElectionName> batch) {
        Map<Map<String, AttributeValue>, ElectionName> names = new LinkedHashMap<>();
        batch.forEach(election -> names.put(Item.record(election).key(), election));
        Map<ElectionName, Seen> seen = new LinkedHashMap<>();
        batch.forEach(election -> seen.put(election, Seen.NOTHING));
        for (Item item : table.get(call, batch.stream().map(Item::record).toList())) {
            Optional.ofNullable(names.get(item.key())).ifPresent(election -> seen.put(election, Seen.of(item)));
        }
        Set<LeaseId> leases =
                seen.values().stream().flatMap(one -> one.lease().stream()).collect(Collectors.toSet());
        Set<LeaseId> alive = sessions.alive(call, leases);
        seen.replaceAll((election, one) -> one.withLeases(alive));
        return seen;
    }

    Swap swap(TableCall<?> call, ElectionName election, Revision expected, LeaderRecord next) {
        Write write;
        try {
            write = expected.equals(Revision.ABSENT)
                    ? create(call, election, next)
                    : change(call, election, expected, next);
        } catch (CoordinatorException uncertain) {
            if (uncertain.mayHaveApplied() && bears(call, election, next.nonce())) {
                return new Swap.Accepted(new Revision(next.nonce()));
            }
            throw uncertain;
        }
        if (write instanceof Write.Refused refused) {
            Optional<Seen> current = refused.current().map(Seen::of);
            boolean isMine = current.filter(it -> it.revision().value().equals(next.nonce()))
                    .isPresent();
            if (!isMine) {
                return new Swap.Refused(current.flatMap(it -> withLease(call, it)));
            }
        }
        return new Swap.Accepted(new Revision(next.nonce()));
    }

    private Write create(TableCall<?> call, ElectionName election, LeaderRecord next) {
        Item record = Item.record(election)
                .with(Item.REVISION, Item.text(next.nonce()))
                .with(Item.RECORD, Item.text(RecordJson.write(next)))
                .with(Item.POSITION, Item.number(1));
        return table.create(
                call,
                record,
                table.updating(
                        Item.index(election),
                        "SET " + Item.RECORDED + " = :yes",
                        Map.of(":yes", AttributeValue.fromBool(true))));
    }

    private Write change(TableCall<?> call, ElectionName election, Revision expected, LeaderRecord next) {
        return table.update(
                call,
                Item.record(election),
                update -> update.conditionExpression("rev = :expected")
                        .updateExpression("SET rev = :rev, rec = :rec, pos = pos + :one")
                        .expressionAttributeValues(Map.of(
                                ":expected",
                                Item.text(expected.value()),
                                ":rev",
                                Item.text(next.nonce()),
                                ":rec",
                                Item.text(RecordJson.write(next)),
                                ":one",
                                Item.number(1))));
    }

    /** A swap whose answer was lost has applied if its nonce stands there. Else it may yet arrive, and nothing is proven. */
    private boolean bears(TableCall<?> call, ElectionName election, String nonce) {
        try {
            return table.get(call, Item.record(election))
                    .flatMap(item -> item.find(Item.REVISION))
                    .filter(nonce::equals)
                    .isPresent();
        } catch (CoordinatorException stillNotKnown) {
            return false;
        }
    }

    /** None where it cannot be understood, or its lease's life is not told. */
    private Optional<ObservedRecord> withLease(TableCall<?> call, Seen seen) {
        try {
            Set<LeaseId> alive = sessions.alive(call, seen.lease().map(Set::of).orElse(Set.of()));
            return seen.withLeases(alive).state();
        } catch (CoordinatorException untold) {
            return Optional.empty();
        }
    }

    /** From the index: those with a record, and of the others those in whose queue somebody stands. */
    List<ElectionName> names(TableCall<?> call, String prefix) {
        Set<ElectionName> names = new TreeSet<>();
        List<ElectionName> withoutRecord = new ArrayList<>();
        for (Item row : table.query(call, Item.INDEX, prefix, true)) {
            String name = row.sort();
            if (prefix.isEmpty() || name.equals(prefix) || name.startsWith(prefix + "/")) {
                ElectionName.ifLegal(name)
                        .ifPresent((row.attributes().containsKey(Item.RECORDED) ? names : withoutRecord)::add);
            }
        }
        Map<Map<String, AttributeValue>, ElectionName> queues = new LinkedHashMap<>();
        withoutRecord.forEach(election -> queues.put(Item.queue(election).key(), election));
        for (List<ElectionName> batch : Table.batches(withoutRecord)) {
            for (Item queue : table.get(call, batch.stream().map(Item::queue).toList())) {
                if (queue.attributes().keySet().stream().anyMatch(name -> name.startsWith(Item.CANDIDATE))) {
                    Optional.ofNullable(queues.get(queue.key())).ifPresent(names::add);
                }
            }
        }
        return List.copyOf(names);
    }
}
