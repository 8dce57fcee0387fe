package dev.incumbent.coordinator.memory;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** All that a store remembers, and a backup copies. A lease that is not here is dead: its id is never granted again. Owned by its store's lock. */
final class Contents {
    /** A record; or one that cannot be read, and why. The position is that of its last change. */
    record Entry(Optional<LeaderRecord> record, String unreadable, Revision revision, long position) {
        boolean isBackedBy(LeaseId lease) {
            return record.flatMap(LeaderRecord::lease).filter(lease::equals).isPresent();
        }

        Entry changedAt(long at) {
            return new Entry(record, unreadable, revision, at);
        }
    }

    /** A lease that was not buried yet; its end is on the store's clock. */
    record Lease(LeaseId id, long lengthNanos, long endNanos) {
        Lease keptAliveAt(long nanos) {
            return new Lease(id, lengthNanos, Math.max(endNanos, nanos + lengthNanos));
        }
    }

    private final Map<ElectionName, Entry> entries = new TreeMap<>();
    private final Map<LeaseId, Lease> leases = new TreeMap<>();
    private final Map<ElectionName, Map<CandidateId, Enlisted>> candidates = new TreeMap<>();
    /** No lease ends before: until then, nobody need look at each of them. Means nothing while there is none. */
    private long noneEndsBefore;

    Contents copy() {
        Contents copy = new Contents();
        copy.entries.putAll(entries);
        copy.leases.putAll(leases);
        copy.noneEndsBefore = noneEndsBefore;
        candidates.forEach((election, list) -> copy.candidates.put(election, new LinkedHashMap<>(list)));
        return copy;
    }

    Optional<Entry> entry(ElectionName election) {
        return Optional.ofNullable(entries.get(election));
    }

    void put(ElectionName election, Entry entry) {
        entries.put(election, entry);
    }

    Optional<Lease> lease(LeaseId id) {
        return Optional.ofNullable(leases.get(id));
    }

    void put(Lease lease) {
        if (leases.isEmpty() || lease.endNanos() - noneEndsBefore < 0) {
            noneEndsBefore = lease.endNanos();
        }
        leases.put(lease.id(), lease);
    }

    /** Asked before each thing that is done to the store. */
    boolean mayHaveEndedBy(long nanos) {
        return !leases.isEmpty() && nanos - noneEndsBefore >= 0;
    }

    List<Lease> leasesEndedBy(long nanos) {
        List<Lease> ended = new ArrayList<>();
        long least = Long.MAX_VALUE;
        for (Lease lease : leases.values()) {
            long left = lease.endNanos() - nanos;
            if (left <= 0) {
                ended.add(lease);
            } else {
                least = Math.min(least, left);
            }
        }
        if (ended.isEmpty()) {
            noneEndsBefore = nanos + least;
        }
        return ended;
    }

    List<LeaseId> leases() {
        return List.copyOf(leases.keySet());
    }

    /** Forgets a lease and the candidates enlisted under it, and tells which elections it led. */
    List<ElectionName> bury(LeaseId dead) {
        leases.remove(dead);
        candidates
                .values()
                .forEach(list -> list.values().removeIf(one -> one.lease().equals(dead)));
        List<ElectionName> led = new ArrayList<>();
        entries.forEach((election, entry) -> {
            if (entry.isBackedBy(dead)) {
                led.add(election);
            }
        });
        return led;
    }

    void enlist(ElectionName election, Enlisted candidate) {
        candidates
                .computeIfAbsent(election, e -> new LinkedHashMap<>())
                .put(candidate.candidate().id(), candidate);
    }

    void withdraw(ElectionName election, CandidateId candidate) {
        candidates.getOrDefault(election, Map.of()).keySet().removeIf(candidate::equals);
    }

    List<Enlisted> candidates(ElectionName election) {
        return List.copyOf(candidates.getOrDefault(election, Map.of()).values());
    }

    List<ElectionName> elections() {
        Set<ElectionName> names = new TreeSet<>(entries.keySet());
        candidates.forEach((election, list) -> {
            if (!list.isEmpty()) {
                names.add(election);
            }
        });
        return List.copyOf(names);
    }
}
