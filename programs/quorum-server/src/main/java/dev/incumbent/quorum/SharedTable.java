package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.time.Timeline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * This node's copy of the table, with what is this node's alone: when each lease was granted or kept alive on this node's monotonic clock, and who
 * waits for changes. Thread-safe.
 */
final class SharedTable {
    private static final long PROPOSED_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final Timeline timeline;
    private final ReentrantLock lock = new ReentrantLock();
    private final LeaseTable table;
    private final Map<String, Clock> clocks = new HashMap<>();
    private final List<Consumer<Set<String>>> listeners = new CopyOnWriteArrayList<>();
    private long applied;

    SharedTable(Timeline timeline) {
        this(timeline, Entry.SUPPORTED);
    }

    /** Of a build that understands entries and snapshots up to that level. */
    SharedTable(Timeline timeline, int supported) {
        this.timeline = timeline;
        this.table = new LeaseTable(supported);
    }

    /** Since when a lease counts here, and until when its end need not be proposed again. */
    private record Clock(long sinceNanos, long quietUntilNanos) {}

    /** Is told the names that changed, at once and on the thread that applies the log: must return at once. */
    void listen(Consumer<Set<String>> listener) {
        listeners.add(listener);
    }

    /** Takes one entry of the log; the answer for who sent it. */
    String apply(long index, String line) {
        Entry entry = Entry.of(line);
        Set<String> changed = new HashSet<>();
        List<String> answers = new ArrayList<>();
        lock.lock();
        try {
            for (Entry call : entry.calls()) {
                LeaseTable.Effect effect = table.apply(index, call);
                effect.lease().ifPresent(this::restart);
                changed.addAll(effect.elections());
                answers.add(answered(call, effect));
            }
            applied = index;
        } finally {
            lock.unlock();
        }
        if (!changed.isEmpty()) {
            listeners.forEach(listener -> listener.accept(changed));
        }
        return entry.isTogether() ? Entry.together(answers) : answers.get(0);
    }

    private String answered(Entry call, LeaseTable.Effect effect) {
        return effect.answer().equals(Words.REFUSED)
                ? told(Words.REFUSED, List.of(call.fields().get(1)))
                : effect.answer();
    }

    /** What entries are to be written at. */
    int level() {
        return locked(table::level);
    }

    /** An entry that is none of ours was applied. */
    void pass(long index) {
        locked(() -> applied = Math.max(applied, index));
    }

    private void restart(String lease) {
        if (table.lease(lease).isPresent()) {
            long now = timeline.nanos();
            clocks.put(lease, new Clock(now, now));
        } else {
            clocks.remove(lease);
        }
    }

    /** From now on every lease has its whole length again: a new leader knows of no renewal that the last one did not pass on. */
    void restartLeases() {
        locked(() -> {
            clocks.clear();
            table.leases().forEach(lease -> restart(lease.id()));
            return true;
        });
    }

    /** The entries that end what has ended by this node's clock; each is told again only after a while. */
    List<String> overdue() {
        return locked(() -> {
            long now = timeline.nanos();
            List<String> entries = new ArrayList<>();
            for (LeaseTable.Lease lease : table.leases()) {
                Clock clock = clocks.getOrDefault(lease.id(), new Clock(now, now));
                boolean isOver = now - clock.sinceNanos() >= TimeUnit.MILLISECONDS.toNanos(lease.millis());
                if (isOver && now - clock.quietUntilNanos() >= 0) {
                    clocks.put(lease.id(), new Clock(clock.sinceNanos(), now + PROPOSED_AGAIN_NANOS));
                    entries.add(Line.of(Words.EXPIRE, lease.id(), Long.toString(lease.version())));
                }
            }
            return entries;
        });
    }

    /** Answers a question. */
    String query(String line) {
        List<String> fields = Line.fields(line);
        return locked(() -> switch (fields.get(0)) {
            case Words.READ -> told(Words.READ, named(fields));
            case Words.CANDIDATES -> standing(named(fields));
            case Words.ELECTIONS -> names(fields.get(1));
            case Words.CLOCK -> Line.of(Words.CLOCK, Long.toString(timeline.wallMillis()));
            case Words.AT -> Line.of(Words.AT, position());
            default -> Line.of(Words.BAD, "no question begins with " + fields.get(0));
        });
    }

    private String told(String word, Collection<String> elections) {
        List<String> fields = new ArrayList<>(List.of(word));
        elections.forEach(name -> fields.addAll(told(name)));
        return Line.of(fields);
    }

    /** Five fields, or none where there is no record. */
    private List<String> told(String name) {
        Optional<LeaseTable.Election> found = table.election(name);
        if (found.isEmpty()) {
            return List.of();
        }
        LeaseTable.Election election = found.get();
        Optional<LeaseTable.Lease> lease = table.lease(election.lease());
        return List.of(
                name,
                election.nonce(),
                lease.isPresent() ? "1" : "0",
                lease.map(this::left).orElse("0"),
                election.record());
    }

    /** What is left by this node's clock, in milliseconds; at least one, since it was not ended. */
    private String left(LeaseTable.Lease lease) {
        long now = timeline.nanos();
        long passed = TimeUnit.NANOSECONDS.toMillis(
                now - clocks.getOrDefault(lease.id(), new Clock(now, now)).sinceNanos());
        return Long.toString(Math.max(1, Math.min(lease.millis(), lease.millis() - passed)));
    }

    /** Each once, however often it was named. */
    private static Set<String> named(List<String> fields) {
        return new LinkedHashSet<>(fields.subList(1, fields.size()));
    }

    private String standing(Set<String> elections) {
        List<String> fields = new ArrayList<>(List.of(Words.CANDIDATES));
        for (String election : elections) {
            table.candidates(election).forEach(one -> fields.addAll(List.of(election, one.text())));
        }
        return Line.of(fields);
    }

    private String names(String prefix) {
        List<String> fields = new ArrayList<>(List.of(Words.ELECTIONS));
        fields.addAll(table.elections(prefix));
        return Line.of(fields);
    }

    /** Where the log stands, and who writes it: a log that was cut back and written anew has no position twice. */
    private String position() {
        return applied + "@" + table.epoch().map(LeaseTable.Epoch::id).orElse("");
    }

    /**
     * What a watch is told: of those names all that changed after a position, and of the new ones all there is. The first line tells where that
     * was.
     */
    List<String> changes(String since, Set<String> names, Set<String> added) {
        return locked(() -> {
            List<String> lines = new ArrayList<>(List.of(Line.of(Words.AT, position())));
            boolean isRestored = !since.isEmpty() && !isPast(since);
            if (isRestored) {
                lines.add(Words.GAP);
            }
            Set<String> toTell = new HashSet<>(added);
            if (since.isEmpty() || isRestored) {
                toTell.addAll(names);
            } else {
                table.changedAfter(index(since)).stream()
                        .filter(names::contains)
                        .forEach(toTell::add);
            }
            for (String name : toTell) {
                long position =
                        table.election(name).map(LeaseTable.Election::position).orElse(0L);
                List<String> fields = new ArrayList<>(List.of(Words.READ, Long.toString(position)));
                fields.addAll(position == 0 ? List.of(name) : told(name));
                lines.add(Line.of(fields));
            }
            return lines;
        });
    }

    private boolean isPast(String position) {
        String epoch = position.substring(position.indexOf('@') + 1);
        return index(position) <= applied && table.wasAt(index(position), epoch);
    }

    private static long index(String position) {
        return Long.parseLong(position.substring(0, position.indexOf('@')));
    }

    /** The length of the shortest lease that lives. */
    OptionalLong shortestLeaseMillis() {
        return locked(() ->
                table.leases().stream().mapToLong(LeaseTable.Lease::millis).min());
    }

    int leaseCount() {
        return locked(() -> table.leases().size());
    }

    /** All of it, for a snapshot. */
    List<String> saved() {
        return locked(table::saved);
    }

    /** All of it as of one position, for an operator. */
    Snapshot copy(String cluster, String node) {
        return locked(() -> {
            Instant now = Instant.ofEpochMilli(timeline.wallMillis());
            String epoch = table.epoch().map(LeaseTable.Epoch::id).orElse("");
            return new Snapshot(new Snapshot.Header(cluster, node, table.level(), applied, epoch, now), table.saved());
        });
    }

    /** Replaces all of it by a snapshot's, which was taken at that index. Everything may have changed. */
    void restore(List<String> lines, long index) {
        locked(() -> {
            table.restore(lines);
            applied = index;
            clocks.clear();
            table.leases().forEach(lease -> restart(lease.id()));
            return true;
        });
        Set<String> all = locked(() -> Set.copyOf(table.elections("")));
        listeners.forEach(listener -> listener.accept(all));
    }

    private <T> T locked(Supplier<T> work) {
        lock.lock();
        try {
            return work.get();
        } finally {
            lock.unlock();
        }
    }
}
