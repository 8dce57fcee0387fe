package dev.incumbent.coordinator.kubernetes;

import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/** A {@link LeaseCache} beside a store with one election and its leader's session. Whatever the cache wants done is checked against what is true. */
final class PlayedCache {
    static final long PERIOD = ScriptedWatch.REQUEST_TIMEOUT.toNanos();
    static final long LEASE = ScriptedWatch.LEASE.toNanos();
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final LeaseId SESSION = Names.freshSession();
    private static final Map<Long, Stored> RECORDS = new ConcurrentHashMap<>();
    private static final Map<Long, Stored> SESSIONS = new ConcurrentHashMap<>();

    private final LeaseCache cache = new LeaseCache(ScriptedWatch.REQUEST_TIMEOUT, new Vigil());
    private final List<Told> watchers = new ArrayList<>();
    private final List<Change> history = new ArrayList<>();
    private final Map<Long, Long> sightedAt = new ConcurrentHashMap<>();

    private long now = -5_000_000_000L;
    private int epoch;
    private long position;
    private long recordAt;

    /** Where the session was written last; 0 where it is gone. */
    private long sessionAt;

    private OptionalLong stream = OptionalLong.empty();
    private boolean hasBegun;
    private long streamedTo;
    private int streamEpoch;
    private Optional<CacheEvent.Listed> oldList = Optional.empty();
    private boolean isProbing;
    private Optional<Stored> burial = Optional.empty();

    /** Asked without that time passed. */
    private int listsAtOnce;

    private int streamsAtOnce;
    private int joinedAtOnce;
    long lists;
    long streams;

    private record Change(long position, String type, Stored object) {}

    /** One watcher, and what it was told last. */
    private static final class Told {
        private final Watching watching;
        private final int joinedInEpoch;
        private final long joinedAt;
        private final long listsBefore;
        private int epoch = -1;
        private long record = -1;
        private boolean isDead;
        private boolean isGap;
        private int calls;

        Told(Watching watching, int epoch, long record, long listsBefore) {
            this.watching = watching;
            this.listsBefore = listsBefore;
            this.joinedInEpoch = epoch;
            this.joinedAt = record;
        }
    }

    /** One whose first watcher has been told the state, with a stream that has begun. */
    PlayedCache() {
        restore(100);
        epoch = 0;
        joins();
        listIsNew();
        streamBegins();
    }

    long now() {
        return now;
    }

    // What happens to the store.

    void writeRecord() {
        recordAt = ++position;
        history.add(new Change(position, "MODIFIED", record(recordAt)));
    }

    boolean renewSession() {
        if (sessionAt == 0) {
            return false;
        }
        sessionAt = ++position;
        history.add(new Change(position, "MODIFIED", session(sessionAt)));
        return true;
    }

    boolean deleteSession() {
        if (sessionAt == 0) {
            return false;
        }
        sessionAt = 0;
        history.add(new Change(++position, "DELETED", at(position)));
        return true;
    }

    /** The object as it was deleted: with the position of its deletion. */
    private static Stored at(long deletedAt) {
        Stored last = session(1);
        return new Stored(last.name(), last.uid(), deletedAt, last.labels(), last.annotations(), last.spec());
    }

    boolean goBack() {
        if (epoch > 0) {
            return false;
        }
        restore(50);
        return true;
    }

    private void restore(long to) {
        epoch++;
        history.clear();
        position = to;
        recordAt = to - 1;
        sessionAt = to - 2;
    }

    // What happens to the cache.

    void joins() {
        Watching watching = new Watching(BILLING, new Deaf(), closed -> {});
        watchers.add(new Told(watching, epoch, recordAt, lists));
        joinedAtOnce++;
        step(new CacheEvent.Joined(watching));
    }

    boolean leaves() {
        if (watchers.isEmpty()) {
            return false;
        }
        step(new CacheEvent.Left(watchers.remove(0).watching));
        check(!watchers.isEmpty() || stream.isEmpty(), "a stream runs for nobody");
        return true;
    }

    boolean listIsOld() {
        return listed(oldList);
    }

    boolean listIsNew() {
        return listed(oldList.map(old -> present()));
    }

    private boolean listed(Optional<CacheEvent.Listed> list) {
        oldList = Optional.empty();
        list.ifPresent(it -> {
            it.objects().forEach(this::sight);
            watchers.forEach(told -> told.isGap &= told.listsBefore == lists);
            step(it);
        });
        return list.isPresent();
    }

    private CacheEvent.Listed present() {
        List<Stored> objects =
                sessionAt == 0 ? List.of(record(recordAt)) : List.of(record(recordAt), session(sessionAt));
        return new CacheEvent.Listed(position, objects);
    }

    boolean listIsUnanswered() {
        if (oldList.isEmpty()) {
            return false;
        }
        oldList = Optional.empty();
        step(new CacheEvent.Unanswered(true, 0));
        checkAllHeardAGap();
        return true;
    }

    boolean probeIsAnswered() {
        if (!isProbing) {
            return false;
        }
        isProbing = false;
        step(new CacheEvent.Probed(position));
        return true;
    }

    boolean probeIsUnanswered() {
        if (!isProbing) {
            return false;
        }
        isProbing = false;
        step(new CacheEvent.Unanswered(false, 0));
        checkAllHeardAGap();
        return true;
    }

    boolean streamBegins() {
        if (stream.isEmpty() || hasBegun) {
            return false;
        }
        hasBegun = true;
        step(new CacheEvent.StreamBegan(stream.getAsLong()));
        return true;
    }

    boolean streamTellsNext() {
        Optional<Change> next = history.stream()
                .filter(change -> change.position() > streamedTo)
                .findFirst()
                .filter(change -> hasBegun && streamEpoch == epoch);
        next.ifPresent(change -> {
            streamedTo = change.position();
            if (!change.type().equals("DELETED")) {
                sight(change.object());
            }
            step(new CacheEvent.Changed(stream.getAsLong(), change.type(), change.object()));
        });
        return next.isPresent();
    }

    /** It is over; one that has not begun was refused. */
    boolean streamEnds(Ending ending) {
        if (stream.isEmpty() || (!hasBegun && ending.kind() == Ending.Kind.IN_ORDER)) {
            return false;
        }
        boolean isLoss = ending.kind() == Ending.Kind.EXPIRED || (hasBegun && ending.kind() == Ending.Kind.BROKEN);
        List<Integer> calls = watchers.stream().map(told -> told.calls).toList();
        long ended = stream.getAsLong();
        stream = OptionalLong.empty();
        hasBegun = false;
        step(new CacheEvent.StreamEnded(ended, ending));
        if (isLoss) {
            checkAllHeardAGap();
        } else {
            check(watchers.stream().map(told -> told.calls).toList().equals(calls), "told of no loss");
        }
        return true;
    }

    boolean burialIsAnswered() {
        return buried(false);
    }

    /** It may have been carried out. */
    boolean burialIsUnanswered() {
        return buried(true);
    }

    private boolean buried(boolean isLost) {
        if (burial.isEmpty()) {
            return false;
        }
        long seenAt = burial.get().position();
        burial = Optional.empty();
        if (sessionAt == seenAt) {
            deleteSession();
        }
        step(new CacheEvent.Buried(SESSION, sessionAt == 0 && !isLost));
        return true;
    }

    boolean wakes() {
        long at = cache.wakeAtNanos();
        if (at == Rhythm.NEVER) {
            return false;
        }
        now = at;
        listsAtOnce = 0;
        streamsAtOnce = 0;
        joinedAtOnce = 0;
        step(new CacheEvent.Woken());
        return true;
    }

    /** It knows what is true of the store, and has told everybody. */
    void checkAllKnow() {
        for (Told told : watchers) {
            check(!told.isGap && told.epoch == epoch, "knows");
            check(told.record == recordAt, "knows the record");
            check(told.isDead == (sessionAt == 0), "knows whether its leader lives");
        }
    }

    void checkStreamRuns() {
        check(hasBegun && streamEpoch == epoch, "has a stream");
    }

    private void sight(Stored object) {
        if (object.isOf(Stored.Kind.SESSION)) {
            sightedAt.putIfAbsent(object.position(), now);
        }
    }

    private void step(CacheEvent event) {
        List<CacheEffect> effects = cache.step(event, now, 0);
        effects.forEach(this::perform);
        check(cache.wakeAtNanos() > now, "wakes later");
        boolean waits = oldList.isPresent() || isProbing || cache.wakeAtNanos() != Rhythm.NEVER;
        check(waits != watchers.isEmpty() || watchers.isEmpty(), "waits for something");
    }

    private void perform(CacheEffect effect) {
        if (effect instanceof CacheEffect.SendList) {
            check(oldList.isEmpty(), "one list at a time");
            check(++listsAtOnce <= 3 + joinedAtOnce, "lists without a pause");
            lists++;
            oldList = Optional.of(present());
        } else if (effect instanceof CacheEffect.SendProbe) {
            check(!isProbing, "one probe at a time");
            isProbing = true;
        } else if (effect instanceof CacheEffect.OpenStream e) {
            check(stream.isEmpty(), "one stream at a time");
            check(++streamsAtOnce <= 4 + joinedAtOnce, "opens streams without a pause");
            streams++;
            stream = OptionalLong.of(e.stream());
            hasBegun = false;
            streamedTo = e.position();
            streamEpoch = e.position() >= 100 ? 0 : 1;
        } else if (effect instanceof CacheEffect.CloseStream e) {
            check(stream.equals(OptionalLong.of(e.stream())), "closes its stream");
            stream = OptionalLong.empty();
            hasBegun = false;
        } else if (effect instanceof CacheEffect.Bury e) {
            check(burial.isEmpty(), "one burial at a time");
            Long sighted = sightedAt.get(e.session().position());
            check(sighted == null || now - sighted > LEASE, "buries nobody before its time");
            burial = Optional.of(e.session());
        } else {
            hear(effect);
        }
    }

    private void hear(CacheEffect effect) {
        if (effect instanceof CacheEffect.TellGap e) {
            told(e.watching()).calls++;
            told(e.watching()).isGap = true;
        } else if (effect instanceof CacheEffect.Tell e) {
            told(e.watching()).calls++;
            hear(told(e.watching()), e.state().orElseThrow());
        }
    }

    private void hear(Told told, ObservedRecord state) {
        long record = Long.parseLong(state.revision().value().substring(1));
        int of = record < 99 ? 1 : 0;
        boolean isFirst = told.record < 0;
        boolean isBack = !isFirst && (of != told.epoch || record < told.record);
        check(!isBack || (of > told.epoch && told.isGap), "goes back after a gap alone");
        check(!isFirst || of > told.joinedInEpoch || record >= told.joinedAt, "first tells the present state");
        check(record <= recordAt || of < epoch, "tells what was written");
        boolean raises = !isFirst && !isBack && told.isDead && state.leaseAlive();
        check(!raises, "raises nobody");
        check(state.leaseAlive() || sessionAt == 0 || of < epoch, "tells nobody dead who lives");
        told.epoch = of;
        told.record = record;
        told.isDead = !state.leaseAlive();
        told.isGap = false;
    }

    private Told told(Watching watching) {
        return watchers.stream()
                .filter(told -> told.watching == watching)
                .findFirst()
                .orElseThrow(() -> new AssertionError("tells who left"));
    }

    private void checkAllHeardAGap() {
        check(watchers.stream().allMatch(told -> told.isGap), "tells a gap");
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private static Stored record(long at) {
        return RECORDS.computeIfAbsent(at, it -> Stored.of(ScriptedWatch.record(BILLING, it, SESSION)));
    }

    private static Stored session(long at) {
        return SESSIONS.computeIfAbsent(at, it -> Stored.of(ScriptedWatch.session(SESSION, it)));
    }

    private static final class Deaf implements Watcher {
        @Override
        public void changed(ObservedRecord record) {}

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
