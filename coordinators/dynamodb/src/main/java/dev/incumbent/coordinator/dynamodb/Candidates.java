package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.dynamodb.Table.Write;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Who stands: one item an election, with three attributes a candidate, so that a place is given in the very request that takes it. DynamoDB ends no entry with its
 * lease, so whoever lists removes those whose lease is dead.
 */
final class Candidates {
    /** An entry may come and go under us; that often it is tried anew. */
    private static final int MOST_TRIES = 4;

    private final Table table;
    private final Sessions sessions;

    Candidates(Table table, Sessions sessions) {
        this.table = table;
        this.sessions = sessions;
    }

    /** An entry as it is stored. */
    record Entry(ElectionName election, long place, Enlisted enlisted) {}

    /**
     * Who stands, and who does not any more.
     *
     * @param dead entries whose lease is
     */
    record Lists(Map<ElectionName, List<Enlisted>> standing, List<Entry> dead) {}

    void enlist(TableCall<?> call, ElectionName election, Enlisted candidate) {
        for (int tries = 0; tries < MOST_TRIES; tries++) {
            Optional<Item> queue = table.get(call, Item.queue(election));
            Optional<LeaseId> before = queue.flatMap(it -> it.find(
                            Item.attribute(Item.LEASE_OF, candidate.candidate().id())))
                    .map(LeaseId::new);
            Set<LeaseId> asked = new HashSet<>(before.stream().toList());
            asked.add(candidate.lease());
            Set<LeaseId> alive = sessions.alive(call, asked);
            if (!alive.contains(candidate.lease())) {
                throw new LeaseLostException(candidate.lease(), "it ended, was revoked, or was never granted");
            }
            if (queue.isEmpty()) {
                table.update(call, Item.index(election), update -> update);
            }
            boolean keepsPlace = before.filter(alive::contains).isPresent();
            if (put(call, election, candidate, before, keepsPlace) instanceof Write.Applied) {
                return;
            }
        }
        throw new CoordinatorException(
                "the entry of " + candidate.candidate().id() + " in " + election + " kept changing", true);
    }

    /** Writes an entry in its place or at the end, if it still has the lease that it had. */
    private Write put(
            TableCall<?> call,
            ElectionName election,
            Enlisted candidate,
            Optional<LeaseId> before,
            boolean keepsPlace) {
        Map<String, AttributeValue> values = new HashMap<>();
        values.put(":lease", Item.text(candidate.lease().value()));
        values.put(":candidate", Item.text(RecordJson.write(candidate)));
        before.ifPresent(lease -> values.put(":before", Item.text(lease.value())));
        String condition = before.isPresent() ? "#lease = :before" : "attribute_not_exists(#lease)";
        String entry = "SET #lease = :lease, #candidate = :candidate";
        Map<String, String> names = new HashMap<>(names(candidate.candidate().id()));
        if (keepsPlace) {
            names.remove("#place");
        } else {
            values.put(":zero", Item.number(0));
            values.put(":one", Item.number(1));
            entry += ", #place = if_not_exists(n, :zero) + :one, n = if_not_exists(n, :zero) + :one";
        }
        String expression = entry;
        return table.update(
                call,
                Item.queue(election),
                update -> update.conditionExpression(condition)
                        .updateExpression(expression)
                        .expressionAttributeNames(names)
                        .expressionAttributeValues(values));
    }

    private static Map<String, String> names(CandidateId candidate) {
        return Map.of(
                "#place", Item.attribute(Item.PLACE_OF, candidate),
                "#lease", Item.attribute(Item.LEASE_OF, candidate),
                "#candidate", Item.attribute(Item.CANDIDATE, candidate));
    }

    void withdraw(TableCall<?> call, ElectionName election, CandidateId candidate) {
        table.update(
                call,
                Item.queue(election),
                update -> update.conditionExpression("attribute_exists(#lease)")
                        .updateExpression("REMOVE #place, #lease, #candidate")
                        .expressionAttributeNames(names(candidate)));
    }

    /** Removes an entry, if it still has the lease that was found dead. */
    void remove(TableCall<?> call, Entry dead) {
        table.update(
                call,
                Item.queue(dead.election()),
                update -> update.conditionExpression("#lease = :dead")
                        .updateExpression("REMOVE #place, #lease, #candidate")
                        .expressionAttributeNames(
                                names(dead.enlisted().candidate().id()))
                        .expressionAttributeValues(Map.of(
                                ":dead", Item.text(dead.enlisted().lease().value()))));
    }

    /** Of a batch, first the entries, then their leases: one that is not there by then is dead. */
    Lists list(TableCall<?> call, List<ElectionName> batch) {
        Map<ElectionName, List<Enlisted>> standing = new LinkedHashMap<>();
        List<Entry> dead = new ArrayList<>();
        batch.forEach(election -> standing.put(election, new ArrayList<>()));
        List<Entry> entries = entries(call, batch);
        Set<LeaseId> alive = alive(call, entries);
        for (Entry entry : entries) {
            if (alive.contains(entry.enlisted().lease())) {
                standing.computeIfAbsent(entry.election(), election -> new ArrayList<>())
                        .add(entry.enlisted());
            } else {
                dead.add(entry);
            }
        }
        return new Lists(standing, dead);
    }

    private Set<LeaseId> alive(TableCall<?> call, List<Entry> entries) {
        Set<LeaseId> asked = new HashSet<>();
        entries.forEach(entry -> asked.add(entry.enlisted().lease()));
        Set<LeaseId> alive = new HashSet<>();
        Table.batches(asked).forEach(batch -> alive.addAll(sessions.alive(call, batch)));
        return alive;
    }

    private List<Entry> entries(TableCall<?> call, List<ElectionName> batch) {
        Map<Map<String, AttributeValue>, ElectionName> names = new LinkedHashMap<>();
        batch.forEach(election -> names.put(Item.queue(election).key(), election));
        List<Entry> entries = new ArrayList<>();
        for (Item queue : table.get(call, batch.stream().map(Item::queue).toList())) {
            Optional.ofNullable(names.get(queue.key())).ifPresent(election -> entries.addAll(entries(election, queue)));
        }
        entries.sort(Comparator.comparingLong(Entry::place));
        return entries;
    }

    private static List<Entry> entries(ElectionName election, Item queue) {
        return queue.attributes().entrySet().stream()
                .filter(one -> one.getKey().startsWith(Item.CANDIDATE))
                .flatMap(one -> {
                    String id = one.getKey().substring(Item.CANDIDATE.length());
                    return enlisted(one.getValue())
                            .map(it -> new Entry(election, queue.count(Item.PLACE_OF + id), it))
                            .stream();
                })
                .toList();
    }

    /** None for what cannot be understood: a later version's, or nobody's. */
    private static Optional<Enlisted> enlisted(AttributeValue stored) {
        try {
            return Optional.of(RecordJson.readEnlisted(String.valueOf(stored.s())));
        } catch (UnreadableRecordException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
