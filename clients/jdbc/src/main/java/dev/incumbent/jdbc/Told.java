package dev.incumbent.jdbc;

import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the watchers of one client were told last: takes sightings in, and tells those that are news. Confined to one poll at a time. */
public final class Told {
    private final Map<ElectionName, Known> known = new HashMap<>();
    private boolean silent;

    /** Told last, of any election: many have the same leader, who need not be remembered once for each. */
    private LeaderRecord last = LeaderRecord.EMPTY;

    /** Of nothing. */
    public Told() {}

    /**
     * One election's record, as a poll saw it.
     *
     * @param revision counts the swaps; behind one already seen, the store went back
     * @param record its text; none where its nonce is the one last seen
     * @param remaining what was left of its leader's lease, where that is alive
     */
    public record Sighting(
            long revision, String nonce, Optional<String> record, boolean leaseAlive, Optional<Duration> remaining) {}

    /**
     * What is known of one election.
     *
     * @param told none where the record cannot be understood
     */
    private record Known(long revision, String nonce, boolean leaseAlive, Optional<ObservedRecord> told) {
        static final Known ABSENT = new Known(0, "", false, Optional.of(ObservedRecord.ABSENT));

        /** What is left of a lease is told while it is news. */
        Known withoutRemaining() {
            return new Known(
                    revision,
                    nonce,
                    leaseAlive,
                    told.map(it -> new ObservedRecord(it.record(), it.revision(), it.leaseAlive(), Optional.empty())));
        }

        boolean isAsIn(Known other) {
            return nonce.equals(other.nonce) && leaseAlive == other.leaseAlive;
        }
    }

    public boolean knowsAll(Collection<ElectionName> elections) {
        return known.keySet().containsAll(elections);
    }

    public boolean knows(ElectionName election) {
        return known.containsKey(election);
    }

    /** The nonce of the record last seen; empty where none is known. */
    public String nonce(ElectionName election) {
        Known one = known.get(election);
        return one == null ? "" : one.nonce();
    }

    /** Drops what is known of elections that nobody watches. */
    public void retain(Collection<ElectionName> watched) {
        known.keySet().retainAll(watched);
    }

    /** Another store answers now: nothing that was known of the last one counts. */
    public void forget(Map<ElectionName, List<Watching>> audience) {
        known.clear();
        audience.values().forEach(all -> all.forEach(watching -> watching.tell(Watcher::gap)));
    }

    /** The store does not answer: tells it once. What is missed meanwhile is found by the next answer. */
    public void fallSilent(Map<ElectionName, List<Watching>> audience) {
        if (!silent) {
            silent = true;
            audience.values().forEach(all -> all.forEach(watching -> watching.tell(Watcher::gap)));
        }
    }

    /** The store answers again. */
    public void speak() {
        silent = false;
    }

    /** Takes in what was seen of one election, nothing where it has no record; is it news to its watchers? */
    public boolean learn(ElectionName election, Optional<Sighting> seen, List<Watching> audience) {
        Optional<Known> before = Optional.ofNullable(known.get(election));
        Known now = seen.isPresent() ? understood(seen.get(), before) : Known.ABSENT;
        known.put(election, now.withoutRemaining());
        if (before.isPresent() && before.get().isAsIn(now)) {
            return false;
        }
        boolean wentBack = before.isPresent() && now.revision() < before.get().revision();
        for (Watching watching : audience) {
            if (wentBack) {
                watching.tell(Watcher::gap);
            }
            watching.tellState(now.told());
        }
        return true;
    }

    private Known understood(Sighting seen, Optional<Known> before) {
        Optional<ObservedRecord> observed = observed(seen, before);
        String nonce = observed.map(it -> it.revision().value()).orElse(seen.nonce());
        return new Known(seen.revision(), nonce, seen.leaseAlive(), observed);
    }

    private Optional<ObservedRecord> observed(Sighting seen, Optional<Known> before) {
        try {
            LeaderRecord record = seen.record().isPresent()
                    ? RecordJson.read(seen.record().get()).sharing(last)
                    : before.flatMap(Known::told)
                            .map(ObservedRecord::record)
                            .orElseThrow(() -> new UnreadableRecordException("unreadable as before"));
            last = record;
            String nonce = record.nonce().equals(seen.nonce()) ? record.nonce() : seen.nonce();
            return Optional.of(new ObservedRecord(record, new Revision(nonce), seen.leaseAlive(), seen.remaining()));
        } catch (UnreadableRecordException e) {
            return Optional.empty();
        }
    }

    /** Tells the present state to watchers that have heard nothing yet. */
    public void welcome(Map<ElectionName, List<Watching>> audience) {
        audience.forEach((election, all) -> {
            Optional<Known> now = Optional.ofNullable(known.get(election));
            for (Watching watching : all) {
                if (!watching.isBegun()) {
                    now.ifPresent(one -> watching.tellState(one.told()));
                }
            }
        });
    }

    /** Tells that what is known is current. */
    public void prove(Map<ElectionName, List<Watching>> audience, long sentAtNanos) {
        audience.forEach((election, all) -> {
            Optional<ObservedRecord> told =
                    Optional.ofNullable(known.get(election)).flatMap(Known::told);
            if (told.isPresent()) {
                all.forEach(watching -> watching.tell(watcher -> watcher.currentAsOf(sentAtNanos)));
            }
        });
    }
}
