package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One item of the table, and the names of all of them: {@code e#NAME record}, {@code e#NAME queue}, {@code index NAME} and {@code l#H ID}, where H is a lease's first
 * digit. Immutable.
 */
record Item(Map<String, AttributeValue> attributes) {
    static final String PARTITION = "pk";
    static final String SORT = "sk";

    /** Of a record: its nonce, its text, and how often it was written. */
    static final String REVISION = "rev";

    static final String RECORD = "rec";
    static final String POSITION = "pos";

    /** Of a lease: what each keep-alive writes anew, its length, and whose it is, for people. */
    static final String RENEWAL = "renewal";

    static final String LENGTH_MILLIS = "ttlMs";
    static final String OWNER = "owner";

    /** Of an election in the index: it has a record. */
    static final String RECORDED = "recorded";

    /** Of a queue: the last place that was given; and of each candidate, by these with its id, its place, its lease, and what it is. */
    static final String LAST_PLACE = "n";

    static final String PLACE_OF = "p#";
    static final String LEASE_OF = "l#";
    static final String CANDIDATE = "c#";

    static final String INDEX = "index";
    static final String HEX = "0123456789abcdef";
    private static final Pattern LEASE = Pattern.compile("[0-9a-f]{32}");

    /** An item of that partition and sort key, with nothing else. */
    static Item of(String partition, String sort) {
        return new Item(Map.of(PARTITION, text(partition), SORT, text(sort)));
    }

    static Item record(ElectionName election) {
        return of("e#" + election, "record");
    }

    static Item queue(ElectionName election) {
        return of("e#" + election, "queue");
    }

    static Item index(ElectionName election) {
        return of(INDEX, election.value());
    }

    static Item lease(LeaseId id) {
        return of(leases(id.value().charAt(0)), id.value());
    }

    /** The partition of the leases that begin with that digit. */
    static String leases(char digit) {
        return "l#" + digit;
    }

    /** An id that was never granted before. */
    static LeaseId freshLease() {
        return new LeaseId(UUID.randomUUID().toString().replace("-", ""));
    }

    /** Can it be one of ours? */
    static boolean isLease(LeaseId id) {
        return LEASE.matcher(id.value()).matches();
    }

    static String attribute(String kind, CandidateId candidate) {
        return kind + candidate;
    }

    static AttributeValue text(String value) {
        return AttributeValue.fromS(value);
    }

    static AttributeValue number(long value) {
        return AttributeValue.fromN(Long.toString(value));
    }

    Item with(String name, AttributeValue value) {
        Map<String, AttributeValue> more = new HashMap<>(attributes);
        more.put(name, value);
        return new Item(more);
    }

    /** Partition and sort key alone. */
    Map<String, AttributeValue> key() {
        return attributes.entrySet().stream()
                .filter(one -> one.getKey().equals(PARTITION) || one.getKey().equals(SORT))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    String sort() {
        return find(SORT).orElse("");
    }

    Optional<String> find(String name) {
        return Optional.ofNullable(attributes.get(name)).map(AttributeValue::s);
    }

    /** Zero where it is none. */
    long count(String name) {
        try {
            return Optional.ofNullable(attributes.get(name))
                    .map(AttributeValue::n)
                    .map(Long::parseLong)
                    .orElse(0L);
        } catch (NumberFormatException tooLarge) {
            return 0;
        }
    }
}
