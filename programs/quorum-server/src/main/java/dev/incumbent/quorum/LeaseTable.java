package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The replicated state: leases, records, candidates. Changed by the log's lines alone, in their order, and by nothing else: no clock, no chance; so
 * it is the same on every node. Not thread-safe.
 *
 * <p>A lease that is not here is dead: its id is never granted again. A position is the index of the entry that changed an election last.
 */
final class LeaseTable {
    private static final long SHORTEST_LEASE_MILLIS = 1_000;
    private static final int MOST_EPOCHS = 1_000;

    /** A lease; its version counts the times it was kept alive. */
    record Lease(String id, String owner, long millis, long version) {}

    /** A record as it was swapped in: its text is the client's own. */
    record Election(String name, long position, String nonce, String lease, String record) {}

    /** One who stands. */
    record Candidate(String election, String id, String lease, String text) {}

    /** From that index on, that leadership of the nodes wrote the log. */
    record Epoch(long index, String id) {}

    private final Map<String, Lease> leases = new TreeMap<>();
    private final Map<String, Election> elections = new TreeMap<>();
    private final NavigableMap<Long, Set<String>> changes = new TreeMap<>();
    private final Map<String, Map<String, Candidate>> candidates = new TreeMap<>();
    private final List<Epoch> epochs = new ArrayList<>();
    private final int supported;
    private int level;

    /** An empty one, of a build that understands entries and snapshots up to that level. */
    LeaseTable(int supported) {
        this.supported = supported;
    }

    /** What an entry did: the answer to who sent it, and the elections and the lease that it changed. */
    record Effect(String answer, Set<String> elections, Optional<String> lease) {
        static Effect none(String answer) {
            return new Effect(answer, Set.of(), Optional.empty());
        }
    }

    /** Takes one entry of the log that bears one call. */
    Effect apply(long index, String line) {
        return apply(index, Entry.of(line));
    }

    /**
     * Takes one call of the entry at that index. Fields that are missing or no numbers come from clients, and such a call changes nothing. A word or a level
     * that is not known comes from another build: what the entry does there is unknown here, so nothing is changed and {@link UnknownFormat} is thrown.
     */
    Effect apply(long index, Entry call) {
        if (call.level() > level) {
            throw new UnknownFormat("entry " + index + " is of level " + call.level() + ", and the log is at level "
                    + level + " there; this build knows levels up to " + supported);
        }
        try {
            return applied(index, call.word(), call.fields());
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            return Effect.none(Line.of(Words.BAD, "fields are missing or no numbers: " + e.getMessage()));
        }
    }

    private Effect applied(long index, String word, List<String> fields) {
        return switch (word) {
            case Words.GRANT -> grant(fields.get(1), fields.get(2), Long.parseLong(fields.get(3)));
            case Words.KEEP -> keep(fields.get(1));
            case Words.REVOKE -> bury(index, fields.get(1));
            case Words.EXPIRE -> expire(index, fields.get(1), Long.parseLong(fields.get(2)));
            case Words.SWAP ->
                swap(new Election(fields.get(1), index, fields.get(3), fields.get(4), fields.get(5)), fields.get(2));
            case Words.ENLIST -> enlist(new Candidate(fields.get(1), fields.get(2), fields.get(3), fields.get(4)));
            case Words.WITHDRAW -> withdraw(fields.get(1), fields.get(2));
            case Words.EPOCH -> begin(new Epoch(index, fields.get(1)));
            case Entry.LEVEL -> rise(index, fields);
            default ->
                throw new UnknownFormat("entry " + index + " begins with '" + UnknownFormat.shown(word)
                        + "', which this build does not know");
        };
    }

    /** It never falls. */
    private Effect rise(long index, List<String> fields) {
        String to = fields.size() > 1 ? fields.get(1) : "";
        if (!to.matches("\\d{1,9}") || Integer.parseInt(to) > supported) {
            throw new UnknownFormat("entry " + index + " raises the level to " + UnknownFormat.shown(to)
                    + ", and this build knows levels up to " + supported);
        }
        level = Math.max(level, Integer.parseInt(to));
        return Effect.none(Words.DONE);
    }

    /** What entries and snapshots are written at from here on. */
    int level() {
        return level;
    }

    private Effect grant(String id, String owner, long millis) {
        if (id.isEmpty() || leases.containsKey(id)) {
            return Effect.none(Line.of(Words.BAD, "a lease has an id of its own"));
        }
        Lease lease = new Lease(id, owner, Math.max(millis, SHORTEST_LEASE_MILLIS), 0);
        leases.put(id, lease);
        return new Effect(Line.of(Words.GRANTED, id, Long.toString(lease.millis())), Set.of(), Optional.of(id));
    }

    private Effect keep(String id) {
        Lease lease = leases.get(id);
        if (lease == null) {
            return Effect.none(Words.LOST);
        }
        leases.put(id, new Lease(id, lease.owner(), lease.millis(), lease.version() + 1));
        return new Effect(Words.DONE, Set.of(), Optional.of(id));
    }

    private Effect expire(long index, String id, long version) {
        Lease lease = leases.get(id);
        return lease == null || lease.version() != version ? Effect.none(Words.DONE) : bury(index, id);
    }

    /** Those led under it have changed, and those enlisted under it are gone. */
    private Effect bury(long index, String id) {
        if (leases.remove(id) == null) {
            return Effect.none(Words.DONE);
        }
        candidates
                .values()
                .forEach(list -> list.values().removeIf(one -> one.lease().equals(id)));
        candidates.values().removeIf(Map::isEmpty);
        List<Election> led = elections.values().stream()
                .filter(election -> election.lease().equals(id))
                .toList();
        led.forEach(one -> put(new Election(one.name(), index, one.nonce(), id, one.record())));
        Set<String> names = led.stream().map(Election::name).collect(Collectors.toSet());
        return new Effect(Words.DONE, names, Optional.of(id));
    }

    private Effect swap(Election next, String expected) {
        Optional<Election> current = election(next.name());
        String found = current.map(Election::nonce).orElse("");
        if (next.nonce().isEmpty()) {
            return Effect.none(Line.of(Words.BAD, "a record bears a nonce"));
        }
        if (found.equals(next.nonce())) {
            return Effect.none(Line.of(Words.ACCEPTED, found));
        }
        if (!found.equals(expected)) {
            return Effect.none(Words.REFUSED);
        }
        put(next);
        return new Effect(Line.of(Words.ACCEPTED, next.nonce()), Set.of(next.name()), Optional.empty());
    }

    private void put(Election next) {
        election(next.name()).ifPresent(last -> {
            Set<String> then = changes.getOrDefault(last.position(), new HashSet<>());
            then.remove(last.name());
            if (then.isEmpty()) {
                changes.remove(last.position());
            }
        });
        elections.put(next.name(), next);
        changes.computeIfAbsent(next.position(), position -> new HashSet<>(2)).add(next.name());
    }

    private Effect enlist(Candidate candidate) {
        if (!leases.containsKey(candidate.lease())) {
            return Effect.none(Words.LOST);
        }
        candidates
                .computeIfAbsent(candidate.election(), election -> new LinkedHashMap<>())
                .put(candidate.id(), candidate);
        return Effect.none(Words.DONE);
    }

    private Effect withdraw(String election, String candidate) {
        Map<String, Candidate> list = candidates.getOrDefault(election, new LinkedHashMap<>());
        list.remove(candidate);
        if (list.isEmpty()) {
            candidates.remove(election);
        }
        return Effect.none(Words.DONE);
    }

    private Effect begin(Epoch epoch) {
        epochs.add(epoch);
        if (epochs.size() > MOST_EPOCHS) {
            epochs.remove(0);
        }
        return Effect.none(Words.DONE);
    }

    Optional<Lease> lease(String id) {
        return Optional.ofNullable(leases.get(id));
    }

    List<Lease> leases() {
        return List.copyOf(leases.values());
    }

    Optional<Election> election(String name) {
        return Optional.ofNullable(elections.get(name));
    }

    /** Those that changed after that position. */
    Set<String> changedAfter(long position) {
        Set<String> names = new HashSet<>();
        changes.tailMap(position, false).values().forEach(names::addAll);
        return names;
    }

    /** In the order of enlisting. */
    List<Candidate> candidates(String election) {
        return List.copyOf(candidates.getOrDefault(election, Map.of()).values());
    }

    /** Those that have a record or a candidate, named so or beneath that name; all for "". In order. */
    List<String> elections(String prefix) {
        Set<String> names = new TreeSet<>(elections.keySet());
        names.addAll(candidates.keySet());
        return names.stream()
                .filter(name -> prefix.isEmpty() || name.equals(prefix) || name.startsWith(prefix + "/"))
                .toList();
    }

    /** The epoch that writes the log now. */
    Optional<Epoch> epoch() {
        return epochs.isEmpty() ? Optional.empty() : Optional.of(epochs.get(epochs.size() - 1));
    }

    /** Was this log written by that epoch at that index? */
    boolean wasAt(long index, String epoch) {
        for (int i = epochs.size() - 1; i >= 0; i--) {
            if (epochs.get(i).index() <= index) {
                return epochs.get(i).id().equals(epoch);
            }
        }
        return false;
    }

    /** All of it, as lines that {@link #restore} reads. */
    List<String> saved() {
        List<String> lines = new ArrayList<>();
        if (level > 0) {
            lines.add(Line.of(Entry.LEVEL, Integer.toString(level)));
        }
        epochs.forEach(one -> lines.add(Line.of("EPOCH", Long.toString(one.index()), one.id())));
        leases.values()
                .forEach(one -> lines.add(Line.of(
                        "LEASE", one.id(), one.owner(), Long.toString(one.millis()), Long.toString(one.version()))));
        elections
                .values()
                .forEach(one -> lines.add(Line.of(
                        "ELECTION",
                        one.name(),
                        Long.toString(one.position()),
                        one.nonce(),
                        one.lease(),
                        one.record())));
        candidates
                .values()
                .forEach(list -> list.values()
                        .forEach(one ->
                                lines.add(Line.of("CANDIDATE", one.election(), one.id(), one.lease(), one.text()))));
        return lines;
    }

    /** Replaces all of it. A snapshot that is not understood throws {@link UnknownFormat}; the table is of no use then. */
    void restore(List<String> lines) {
        leases.clear();
        elections.clear();
        changes.clear();
        candidates.clear();
        epochs.clear();
        level = 0;
        for (String line : lines) {
            try {
                take(Line.fields(line));
            } catch (IndexOutOfBoundsException | NumberFormatException e) {
                throw new UnknownFormat("a line of the snapshot lacks fields or numbers");
            }
        }
    }

    private void take(List<String> is) {
        switch (is.get(0)) {
            case Entry.LEVEL -> level = known(Integer.parseInt(is.get(1)));
            case "EPOCH" -> epochs.add(new Epoch(Long.parseLong(is.get(1)), is.get(2)));
            case "LEASE" ->
                leases.put(
                        is.get(1),
                        new Lease(is.get(1), is.get(2), Long.parseLong(is.get(3)), Long.parseLong(is.get(4))));
            case "ELECTION" -> put(new Election(is.get(1), Long.parseLong(is.get(2)), is.get(3), is.get(4), is.get(5)));
            case "CANDIDATE" -> enlistSaved(new Candidate(is.get(1), is.get(2), is.get(3), is.get(4)));
            default ->
                throw new UnknownFormat("a line of the snapshot begins with '" + UnknownFormat.shown(is.get(0))
                        + "', which this build does not know");
        }
    }

    private int known(int saved) {
        if (saved > supported) {
            throw new UnknownFormat(
                    "the snapshot is of level " + saved + ", and this build knows levels up to " + supported);
        }
        return saved;
    }

    private void enlistSaved(Candidate candidate) {
        candidates
                .computeIfAbsent(candidate.election(), election -> new LinkedHashMap<>())
                .put(candidate.id(), candidate);
    }
}
