package dev.incumbent.coordinator.etcd;

import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.Watching;
import dev.incumbent.etcd.EtcdClient;
import dev.incumbent.etcd.EtcdStream;
import dev.incumbent.etcd.KeyValue;
import dev.incumbent.etcd.Txn;
import dev.incumbent.etcd.TxnReply;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * All watches of one client: changes come by one stream, and in a steady rhythm a linearizable read asks whether what was told is current, for a hundred elections
 * in turn. That read is the proof of currency, and what notices a stream that died in silence, a client that is cut off, and a store that went back. What another
 * process holds is asked for rarely, since nobody's term rests on this client's proof; and what this client reads for other reasons counts as asked.
 *
 * <p>A stream's progress would prove nothing: a member that is cut off goes on telling its own, and before its fix of issue 15220 etcd tells progress ahead of changes.
 *
 * <p>Everything here happens in turns.
 */
final class Watches implements AutoCloseable {
    /** Once in so many periods an election is asked for that another process holds. */
    static final int RARELY = 8;

    private static final int MOST_LOOKS = 4;

    private final EtcdClient client;
    private final Keys keys;
    private final Leases leases;
    private final Records records;
    private final Timeline timeline;
    private final long periodNanos;
    private final Serial turns = new Serial();

    private final Map<ElectionName, Followed> followed = new LinkedHashMap<>();
    private final Deque<ElectionName> toAsk = new ArrayDeque<>();

    /** To be looked at soon: those new to us, and all after a stream was opened. Few questions at a time, for whoever waits in line behind others is not answered in time. */
    private final Set<ElectionName> toLookAt = new LinkedHashSet<>();

    private int looksUnderWay;
    private final Set<String> aliveLeases = new HashSet<>();
    private Optional<EtcdStream> stream = Optional.empty();
    private Optional<Timeline.Alarm> nextLook = Optional.empty();

    /** Which stream is listened to: what an older one tells is not. */
    private int streams;

    private boolean opening;
    private boolean silent;

    /** The greatest revision that the store ever told this client, and the one up to which the stream told changes. */
    private volatile long seen;

    private long streamed;

    /** What a read found before the stream told it; a stream that has not told it one period later is dead. */
    private long awaited;

    /** Told last, of any election: many have the same leader, who need not be remembered once for each. */
    private StoredRecord last = StoredRecord.ABSENT;

    private volatile boolean closed;

    Watches(EtcdClient client, Keys keys, Leases leases, Records records, long periodNanos) {
        this.client = client;
        this.keys = keys;
        this.leases = leases;
        this.records = records;
        this.timeline = records.timeline();
        this.periodNanos = periodNanos;
    }

    Watch watch(ElectionName election, Watcher watcher) {
        Watching watching = new Watching(election, watcher, it -> turns.run(() -> forget(it)));
        turns.run(() -> follow(watching));
        return watching;
    }

    @Override
    public void close() {
        closed = true;
        turns.run(() -> {
            followed.clear();
            stop();
        });
    }

    private void follow(Watching watching) {
        if (closed || watching.isClosed()) {
            return;
        }
        boolean first = followed.isEmpty();
        Followed here = followed.computeIfAbsent(watching.election(), name -> new Followed());
        here.add(watching);
        lookSoon(List.of(watching.election()));
        if (first) {
            open();
            lookLater();
        }
    }

    private void forget(Watching watching) {
        Followed here = followed.get(watching.election());
        if (here != null && here.remove(watching)) {
            followed.remove(watching.election());
        }
        if (followed.isEmpty()) {
            stop();
        }
    }

    private void stop() {
        hangUp();
        toLookAt.clear();
        nextLook.ifPresent(Timeline.Alarm::cancel);
        nextLook = Optional.empty();
    }

    private void lookLater() {
        nextLook.ifPresent(Timeline.Alarm::cancel);
        nextLook = Optional.of(timeline.at(timeline.nanos() + periodNanos, () -> turns.run(this::lookAgain)));
    }

    private void lookAgain() {
        if (closed || followed.isEmpty()) {
            return;
        }
        lookLater();
        boolean isDeaf = stream.isPresent() && streamed < awaited;
        if (isDeaf) {
            hangUp();
        }
        if (stream.isEmpty() && !opening) {
            open();
        }
        List<ElectionName> chunk = nextChunk();
        if (!chunk.isEmpty()) {
            look(chunk);
        }
    }

    private List<ElectionName> nextChunk() {
        if (toAsk.isEmpty()) {
            toAsk.addAll(followed.keySet());
        }
        List<ElectionName> chunk = new ArrayList<>();
        while (chunk.size() < Records.MOST && !toAsk.isEmpty()) {
            ElectionName next = toAsk.removeFirst();
            if (isDue(next)) {
                chunk.add(next);
            }
        }
        return chunk;
    }

    private boolean isDue(ElectionName election) {
        Followed here = followed.get(election);
        if (here == null) {
            return false;
        }
        boolean isHeldElsewhere =
                here.holder().filter(lease -> !leases.isMine(lease)).isPresent();
        return silent || !isHeldElsewhere || here.isOlderThan(RARELY * periodNanos, timeline.nanos());
    }

    private void lookSoon(Collection<ElectionName> elections) {
        toLookAt.addAll(elections);
        lookAtNext();
    }

    private void lookAtNext() {
        while (looksUnderWay < MOST_LOOKS && !toLookAt.isEmpty()) {
            List<ElectionName> next = toLookAt.stream().limit(Records.MOST).toList();
            next.forEach(toLookAt::remove);
            looksUnderWay++;
            look(next)
                    .whenComplete((done, failure) -> turns.run(() -> {
                        looksUnderWay--;
                        lookAtNext();
                    }));
        }
    }

    private CompletionStage<?> look(List<ElectionName> elections) {
        return read(elections)
                .whenComplete((sightings, failure) -> turns.run(failure == null ? () -> {} : this::fallSilent));
    }

    /** Reads for whomever: an answer proves to those who watch, too, that what they were told is current. Any thread. */
    CompletionStage<Sightings> read(List<ElectionName> elections) {
        long seenBefore = seen;
        return records.look(elections).whenComplete((sightings, failure) -> {
            if (failure == null) {
                turns.run(() -> answered(sightings, seenBefore));
            }
        });
    }

    private void answered(Sightings sightings, long seenBefore) {
        if (sightings.revision() < seenBefore) {
            startAnew();
        }
        seen = Math.max(seen, sightings.revision());
        sightings.records().forEach((election, record) -> {
            Followed here = followed.get(election);
            if (here != null && here.answered(shared(record), sightings.isAlive(record), sightings)) {
                awaited = Math.max(awaited, record.modRevision());
            }
        });
        if (silent) {
            silent = false;
            hangUp();
            open();
        }
    }

    /** The store went back: it was restored from a backup. */
    private void startAnew() {
        seen = 0;
        followed.values().forEach(Followed::forget);
        hangUp();
        open();
    }

    /** Told once, until the store answers again. */
    private void fallSilent() {
        toLookAt.clear();
        if (!silent && !closed) {
            silent = true;
            followed.values().forEach(Followed::gap);
        }
    }

    /** Asks which leases are alive, then for all records, and listens to whatever comes after the first answer. */
    private void open() {
        if (closed || followed.isEmpty()) {
            return;
        }
        opening = true;
        int number = ++streams;
        CompletionStage<TxnReply> leases = client.txn(new Txn().getKeys(keys.leases()));
        leases.whenComplete((reply, failure) -> turns.run(() -> {
            if (number == streams) {
                opening = false;
                opened(reply, failure);
            }
        }));
    }

    private void opened(@Nullable TxnReply leases, @Nullable Throwable failure) {
        if (leases == null || failure != null) {
            fallSilent();
            return;
        }
        aliveLeases.clear();
        leases.found(0).forEach(lease -> aliveLeases.add(lease.key()));
        listen(leases.revision());
    }

    private void listen(long revision) {
        if (closed || followed.isEmpty()) {
            return;
        }
        streamed = revision;
        awaited = 0;
        String end = keys.leases().substring(0, keys.leases().length() - 1) + "0";
        stream = Optional.of(client.watch(keys.records(), end, revision + 1, new Listening(streams)));
        lookSoon(followed.keySet());
    }

    private void hangUp() {
        streams++;
        opening = false;
        stream.ifPresent(EtcdStream::close);
        stream = Optional.empty();
    }

    /** One stream's changes, as long as it is the one listened to. */
    private final class Listening implements EtcdStream.Listener {
        private final int number;

        Listening(int number) {
            this.number = number;
        }

        @Override
        public void changed(long revision, List<EtcdStream.Change> changes) {
            turns.run(() -> {
                if (number == streams) {
                    changes.forEach(Watches.this::apply);
                    seen = Math.max(seen, revision);
                }
            });
        }

        @Override
        public void ended(String why) {
            turns.run(() -> {
                if (number == streams) {
                    stream = Optional.empty();
                    followed.values().forEach(Followed::gap);
                }
            });
        }
    }

    private void apply(EtcdStream.Change change) {
        KeyValue now = change.now();
        streamed = Math.max(streamed, now.modRevision());
        if (now.key().startsWith(keys.leases())) {
            applyToLease(now.key(), change);
        } else if (now.key().startsWith(keys.records())) {
            Optional<ElectionName> election = watched(keys.electionOf(now.key()));
            election.ifPresent(name -> applyToRecord(name, change));
        }
    }

    private void applyToLease(String key, EtcdStream.Change change) {
        if (!change.isDeleted()) {
            aliveLeases.add(key);
        } else if (aliveLeases.remove(key)) {
            LeaseId lease = new LeaseId(key.substring(keys.leases().length()));
            followed.values().forEach(one -> one.died(lease, change.now().modRevision()));
        }
    }

    /** A lease that is not known to live is asked for, with the record. */
    private void applyToRecord(ElectionName election, EtcdStream.Change change) {
        StoredRecord record = change.isDeleted() ? StoredRecord.ABSENT : StoredRecord.of(change.now());
        boolean isAlive =
                record.lease().map(keys::lease).filter(aliveLeases::contains).isPresent();
        if (change.isDeleted() || (record.lease().isPresent() && !isAlive)) {
            lookSoon(List.of(election));
        } else {
            Followed here = followed.get(election);
            if (here != null) {
                here.written(shared(record), isAlive);
            }
        }
    }

    private StoredRecord shared(StoredRecord record) {
        last = record.sharing(last);
        return last;
    }

    private Optional<ElectionName> watched(String name) {
        return ElectionName.ifLegal(name).filter(followed::containsKey);
    }
}
