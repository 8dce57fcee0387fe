package dev.incumbent.coordinator.memory;

import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.memory.Contents.Entry;
import dev.incumbent.coordinator.memory.Contents.Lease;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A coordinator's server, in memory: records, leases and candidates, on one clock of its own.
 *
 * <p>One lock owns its state. It has no thread: what it is asked runs on the asker's thread, a lease's death on its timeline's alarm
 * thread, and what a watch is told on the thread that changed the record, after the lock is released. Death is final: before anything
 * is answered, every lease that has ended is buried, which no step of the clock undoes.
 */
public final class MemoryStore {
    private static final long MILLI = 1_000_000;

    /** What a store was at one moment. */
    public static final class Backup {
        private final Contents contents;

        private Backup(Contents contents) {
            this.contents = contents;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Timeline timeline;
    private final Map<ElectionName, Set<Consumer<Told>>> watchers = new LinkedHashMap<>();
    private final Map<LeaseId, Timeline.Alarm> alarms = new LinkedHashMap<>();
    private final List<Runnable> news = new ArrayList<>();
    private Contents contents = new Contents();
    private long life = 1;
    private long position;
    private long leasesGranted;
    private long clockStepNanos;

    public MemoryStore(Timeline timeline) {
        this.timeline = timeline;
    }

    /** Copies all that is remembered. */
    public Backup backup() {
        return locked(() -> new Backup(contents.copy()));
    }

    /**
     * Goes back to what was copied: a lease that was alive then, and has not ended since, lives again, as in any restored store. Positions
     * and lease ids go on, so that none repeats; watches tell a gap.
     */
    public void restore(Backup backup) {
        locked(() -> {
            contents = backup.contents.copy();
            life++;
            alarms.values().forEach(Timeline.Alarm::cancel);
            alarms.clear();
            contents.leases().forEach(this::wakeAtItsEnd);
            watchers.keySet().forEach(this::tell);
            buryTheDead();
            return true;
        });
    }

    /** Steps the clock that judges leases, as a database's wall clock is stepped; negative is back. */
    public void stepClock(Duration by) {
        locked(() -> {
            clockStepNanos += by.toNanos();
            alarms.values().forEach(Timeline.Alarm::cancel);
            contents.leases().forEach(this::wakeAtItsEnd);
            buryTheDead();
            return true;
        });
    }

    /** Puts what cannot be read in a record's place, as another program's writing would be. */
    public void plantUnreadable(ElectionName election, String why) {
        locked(() -> {
            Revision revision = new Revision("unreadable-" + life + "-" + (position + 1));
            contents.put(election, new Entry(Optional.empty(), why, revision, ++position));
            tell(election);
            return true;
        });
    }

    GrantedLease grant(Duration timeToLive) {
        return locked(() -> {
            long length = Math.max(1, Math.floorDiv(timeToLive.toNanos() + MILLI - 1, MILLI)) * MILLI;
            Lease lease = new Lease(new LeaseId("m" + ++leasesGranted), length, clock() + length);
            contents.put(lease);
            wakeAtItsEnd(lease.id());
            return new GrantedLease(lease.id(), Duration.ofNanos(length));
        });
    }

    boolean keepAlive(LeaseId id) {
        return locked(() -> {
            contents.put(alive(id).keptAliveAt(clock()));
            return true;
        });
    }

    boolean revoke(LeaseId id) {
        return locked(() -> {
            contents.lease(id).ifPresent(lease -> bury(id));
            return true;
        });
    }

    Map<ElectionName, Reading> read(Set<ElectionName> elections) {
        return locked(() -> {
            Map<ElectionName, Reading> readings = new LinkedHashMap<>();
            elections.forEach(election -> readings.put(election, reading(election)));
            return readings;
        });
    }

    Swap swap(ElectionName election, Revision expected, LeaderRecord next) {
        return locked(() -> {
            Optional<Entry> entry = contents.entry(election);
            Revision found = entry.map(Entry::revision).orElse(Revision.ABSENT);
            Revision wanted = new Revision(next.nonce());
            if (found.equals(wanted)) {
                return new Swap.Accepted(wanted);
            }
            if (!found.equals(expected)) {
                return new Swap.Refused(entry.flatMap(this::observed));
            }
            contents.put(election, new Entry(Optional.of(next), "", wanted, ++position));
            tell(election);
            return new Swap.Accepted(wanted);
        });
    }

    boolean enlist(ElectionName election, Enlisted candidate) {
        return locked(() -> {
            alive(candidate.lease());
            contents.enlist(election, candidate);
            return true;
        });
    }

    boolean withdraw(ElectionName election, CandidateId candidate) {
        return locked(() -> {
            contents.withdraw(election, candidate);
            return true;
        });
    }

    Map<ElectionName, List<Enlisted>> candidates(Set<ElectionName> elections) {
        return locked(() -> {
            Map<ElectionName, List<Enlisted>> lists = new LinkedHashMap<>();
            elections.forEach(election -> lists.put(election, contents.candidates(election)));
            return lists;
        });
    }

    List<ElectionName> elections(String prefix) {
        return locked(() -> contents.elections().stream()
                .filter(election -> prefix.isEmpty()
                        || election.value().equals(prefix)
                        || election.value().startsWith(prefix + "/"))
                .toList());
    }

    Instant wallClock() {
        return locked(() -> Instant.ofEpochMilli(timeline.wallMillis() + clockStepNanos / MILLI));
    }

    /** Tells one election's state, and from now on each change of it. */
    Told watch(ElectionName election, Consumer<Told> watcher) {
        return locked(() -> {
            watchers.computeIfAbsent(election, e -> new LinkedHashSet<>()).add(watcher);
            return told(election);
        });
    }

    boolean unwatch(ElectionName election, Consumer<Told> watcher) {
        return locked(() -> {
            Set<Consumer<Told>> those = watchers.getOrDefault(election, new LinkedHashSet<>());
            boolean wasThere = those.remove(watcher);
            if (those.isEmpty()) {
                watchers.remove(election);
            }
            return wasThere;
        });
    }

    private Reading reading(ElectionName election) {
        Optional<Entry> entry = contents.entry(election);
        if (entry.isEmpty()) {
            return new Reading.Absent();
        }
        Optional<ObservedRecord> observed = observed(entry.get());
        return observed.isPresent()
                ? new Reading.Found(observed.get())
                : new Reading.Foreign(entry.get().revision(), entry.get().unreadable());
    }

    private Optional<ObservedRecord> observed(Entry entry) {
        return entry.record().map(record -> {
            Optional<Lease> lease = record.lease().flatMap(contents::lease);
            Optional<Duration> remaining = lease.map(one -> Duration.ofNanos(one.endNanos() - clock()));
            return new ObservedRecord(record, entry.revision(), lease.isPresent(), remaining);
        });
    }

    private Told told(ElectionName election) {
        Optional<Entry> entry = contents.entry(election);
        return entry.isEmpty()
                ? new Told(life, 0, Optional.of(ObservedRecord.ABSENT))
                : new Told(life, entry.get().position(), observed(entry.get()));
    }

    private void tell(ElectionName election) {
        Told told = told(election);
        watchers.getOrDefault(election, Set.of()).forEach(watcher -> news.add(() -> watcher.accept(told)));
    }

    private Lease alive(LeaseId id) {
        return contents.lease(id)
                .orElseThrow(() -> new LeaseLostException(id, "it ended, was revoked, or was never granted"));
    }

    private void wakeAtItsEnd(LeaseId id) {
        contents.lease(id)
                .ifPresent(lease -> alarms.put(
                        id,
                        timeline.at(
                                lease.endNanos() - clockStepNanos,
                                () -> locked(() -> {
                                    wakeAtItsEnd(id);
                                    return true;
                                }))));
    }

    private void buryTheDead() {
        long now = clock();
        if (contents.mayHaveEndedBy(now)) {
            contents.leasesEndedBy(now).forEach(lease -> bury(lease.id()));
        }
    }

    private void bury(LeaseId dead) {
        Optional.ofNullable(alarms.remove(dead)).ifPresent(Timeline.Alarm::cancel);
        for (ElectionName election : contents.bury(dead)) {
            contents.entry(election).ifPresent(entry -> contents.put(election, entry.changedAt(++position)));
            tell(election);
        }
    }

    private long clock() {
        return timeline.nanos() + clockStepNanos;
    }

    /** Does one thing under the lock, and then passes the news on. */
    private <T> T locked(Supplier<T> work) {
        List<Runnable> toTell = new ArrayList<>();
        try {
            return underLock(work, toTell);
        } finally {
            toTell.forEach(Runnable::run);
        }
    }

    /** The dead are buried before the work; what steps the clock or brings back the dead buries them itself. */
    private <T> T underLock(Supplier<T> work, List<Runnable> toTell) {
        lock.lock();
        try {
            buryTheDead();
            return work.get();
        } finally {
            if (!news.isEmpty()) {
                toTell.addAll(news);
                news.clear();
            }
            lock.unlock();
        }
    }
}
