package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.kubernetes.Records.Understood;
import dev.incumbent.coordinator.kubernetes.Stored.Kind;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What is known of the records that are followed and of all sessions, up to a position of the store, by lists and by changes. A list may be older than a
 * change that was told while it was under way; whichever is newer counts. Belongs to its {@link LeaseCache}.
 */
final class Contents {
    private final Deaths deaths;
    private final Map<String, ElectionName> followed = new HashMap<>();
    private final Map<ElectionName, Known> records = new HashMap<>();
    private final Map<LeaseId, Stored> alive = new LinkedHashMap<>();

    /** What changed since the list under way was asked for, and at which position. */
    private final Map<String, Long> changedSinceAsked = new HashMap<>();

    /** Sessions that were buried: no change and no list that is older may raise them. */
    private final Set<LeaseId> dead = new HashSet<>();

    private Set<LeaseId> deadWhenAsked = Set.of();
    private boolean isListing;

    /** All changes up to here are known. */
    private long position;

    Contents(Deaths deaths) {
        this.deaths = deaths;
    }

    /** A record as it was told last; an object that was deleted and created again has another uid. */
    private record Known(String uid, Understood understood) {
        Optional<LeaseId> lease() {
            return understood.record().flatMap(LeaderRecord::lease);
        }
    }

    long position() {
        return position;
    }

    void follow(ElectionName election) {
        followed.put(Names.of(election), election);
    }

    void unfollow(ElectionName election) {
        followed.remove(Names.of(election));
        records.remove(election);
    }

    void listIsAsked() {
        isListing = true;
        changedSinceAsked.clear();
        deadWhenAsked = Set.copyOf(dead);
    }

    /** The store went back to that position: nothing that is known holds. */
    void wentBack(long to) {
        changedSinceAsked.clear();
        dead.clear();
        records.clear();
        alive.clear();
        position = to;
    }

    /** Takes a list, but for what is known to be newer. Tells whose records were deleted, and perhaps created again. */
    Set<ElectionName> take(CacheEvent.Listed list, long nowNanos) {
        long listed = list.position();
        Map<ElectionName, Known> before = new LinkedHashMap<>(records);
        position = Math.max(position, listed);
        records.keySet().removeIf(election -> isNoOlder(listed, Names.of(election)));
        alive.keySet().removeIf(id -> isNoOlder(listed, id.value()));
        for (Stored object : list.objects()) {
            if (isNoOlder(listed, object.name())) {
                put(object, nowNanos);
            }
        }
        dead.removeAll(deadWhenAsked);
        isListing = false;
        deaths.onlyTheseLive(alive.keySet());
        before.entrySet()
                .removeIf(one -> Optional.ofNullable(records.get(one.getKey()))
                        .filter(now -> now.uid().equals(one.getValue().uid()))
                        .isPresent());
        return before.keySet();
    }

    /** Is what a list of that position says of an object no older than what is known of it? */
    private boolean isNoOlder(long listed, String name) {
        return changedSinceAsked.getOrDefault(name, Long.MIN_VALUE) <= listed;
    }

    /** Takes a change; false where it was known. */
    boolean advance(Stored object) {
        if (object.position() <= position) {
            return false;
        }
        position = object.position();
        if (isListing) {
            changedSinceAsked.put(object.name(), position);
        }
        return true;
    }

    /** Takes an object as it is now. Tells the election whose record that is, if it is followed. */
    Optional<ElectionName> put(Stored object, long nowNanos) {
        if (object.isOf(Kind.SESSION)) {
            LeaseId id = new LeaseId(object.name());
            if (!dead.contains(id)) {
                alive.put(id, object);
                deaths.sighted(id, object, nowNanos);
            }
            return Optional.empty();
        }
        Optional<ElectionName> election = followedAs(object);
        election.ifPresent(it -> {
            Known known = new Known(object.uid(), Understood.of(it, object));
            records.put(it, known);
            known.lease().ifPresent(deaths::mayDie);
        });
        return election;
    }

    /** A record is gone. Tells whose, if it is followed. */
    Optional<ElectionName> remove(Stored object) {
        Optional<ElectionName> election = followedAs(object);
        election.ifPresent(records::remove);
        return election;
    }

    private Optional<ElectionName> followedAs(Stored object) {
        return Optional.ofNullable(followed.get(object.name()));
    }

    boolean isAlive(LeaseId id) {
        return alive.containsKey(id);
    }

    /** A session was buried, nobody knows at which position. Tells which elections it led. */
    Set<ElectionName> bury(LeaseId id) {
        dead.add(id);
        return end(id);
    }

    /** A session is gone. Tells which elections it led. */
    Set<ElectionName> end(LeaseId id) {
        deaths.gone(id);
        Set<ElectionName> led = new LinkedHashSet<>();
        if (alive.remove(id) != null) {
            records.forEach((election, known) -> {
                if (known.lease().filter(id::equals).isPresent()) {
                    led.add(election);
                }
            });
        }
        return led;
    }

    /** Looks for leaders whose time is over. */
    void lookForDeaths(CacheStep step) {
        Set<LeaseId> leading = new HashSet<>();
        records.values().forEach(known -> known.lease().ifPresent(leading::add));
        deaths.look(alive, leading, step);
    }

    Revision revision(ElectionName election) {
        return Optional.ofNullable(records.get(election))
                .map(known -> known.understood().revision())
                .orElse(Revision.ABSENT);
    }

    /** The present state of an election; none where its record cannot be understood. */
    Optional<ObservedRecord> state(ElectionName election) {
        Known known = records.get(election);
        return known == null
                ? Optional.of(ObservedRecord.ABSENT)
                : known.understood().record().map(record -> known.understood().observed(record, alive.keySet()));
    }
}
