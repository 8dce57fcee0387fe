package dev.incumbent.agent.elections;

import dev.incumbent.Election;
import dev.incumbent.ElectionStatus;
import dev.incumbent.LeaderChange;
import dev.incumbent.Observation;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Who waits for the next change of a leader, and who hears each of them. An election is observed while there is somebody who does. All is called on the strand.
 *
 * <p>A change has an index: twice the term, and one more once that term is over. It is the same at every agent, and after a restart.
 */
final class Watching {
    private final Function<ElectionName, Election> elections;
    private final Function<ElectionName, CompletionStage<ElectionStatus>> status;
    private final Strand strand;
    private final int most;
    private final Map<ElectionName, Watched> watched = new TreeMap<>();

    /** At most so many wait at once. */
    Watching(
            Function<ElectionName, Election> elections,
            Function<ElectionName, CompletionStage<ElectionStatus>> status,
            Strand strand,
            int most) {
        this.elections = elections;
        this.status = status;
        this.strand = strand;
        this.most = most;
    }

    Strand strand() {
        return strand;
    }

    /** The record, asked from the coordinator. */
    CompletionStage<ElectionStatus> status(ElectionName election) {
        return status.apply(election);
    }

    private static final class Waiter {
        private final long index;
        private final Runnable then;
        private Timeline.Alarm end = () -> {};

        private Waiter(long index, Runnable then) {
            this.index = index;
            this.then = then;
        }
    }

    /** One election, who waits for it and who hears of it. */
    private static final class Watched {
        private final List<Waiter> waiters = new ArrayList<>();
        private final List<Consumer<LeaderChange>> hearers = new ArrayList<>();
        private Optional<LeaderChange> last = Optional.empty();
        private Optional<Observation> observation = Optional.empty();
    }

    static long index(ObservedRecord observed) {
        return index(observed.record().term(), observed.isVacant());
    }

    static long index(LeaderChange change) {
        return index(change.term(), change.leader().isEmpty());
    }

    private static long index(long term, boolean isOver) {
        return 2 * term + (isOver ? 1 : 0);
    }

    private static boolean isOther(LeaderChange change, long index) {
        return index < index(change) || (index > index(change) && !isSameVacancy(change, index));
    }

    /** Does the change tell the vacancy of that index, or one since which nobody has led? A thaw raises the term while nobody leads, and so the index, too. */
    static boolean isSameVacancy(LeaderChange change, long index) {
        long ended = change.previous().map(PastTerm::number).orElse(0L);
        return change.leader().isEmpty() && index % 2 == 1 && index(ended, true) <= index;
    }

    /** Runs {@code then} on the strand, once the index is another one or the time is up; at once where too many wait. */
    void await(ElectionName election, long index, Duration patience, Runnable then) {
        if (waitingCount() >= most) {
            then.run();
            return;
        }
        boolean longer = patience.compareTo(Bounds.LONGEST_WAIT) > 0;
        long nanos = (longer ? Bounds.LONGEST_WAIT : patience).toNanos();
        Watched one = watched.computeIfAbsent(election, this::observe);
        Waiter waiter = new Waiter(index, then);
        waiter.end = strand.at(strand.nanos() + nanos, () -> release(election, waiter));
        one.waiters.add(waiter);
        releaseTold(election, one);
    }

    private int waitingCount() {
        return watched.values().stream().mapToInt(one -> one.waiters.size()).sum();
    }

    private Watched observe(ElectionName election) {
        Watched one = new Watched();
        one.observation = Optional.of(
                elections.apply(election).observe(change -> strand.execute(() -> changed(election, one, change))));
        return one;
    }

    private void changed(ElectionName election, Watched one, LeaderChange change) {
        one.last = Optional.of(change);
        one.hearers.forEach(hearer -> hearer.accept(change));
        releaseTold(election, one);
    }

    private void releaseTold(ElectionName election, Watched one) {
        one.last.ifPresent(change -> List.copyOf(one.waiters).stream()
                .filter(waiter -> isOther(change, waiter.index))
                .forEach(waiter -> release(election, waiter)));
    }

    /** Tells each change of leader on the strand, from the present one on, until it is unheard. */
    void hear(ElectionName election, Consumer<LeaderChange> hearer) {
        Watched one = watched.computeIfAbsent(election, this::observe);
        one.hearers.add(hearer);
        one.last.ifPresent(hearer);
    }

    void unhear(ElectionName election, Consumer<LeaderChange> hearer) {
        Optional.ofNullable(watched.get(election)).ifPresent(one -> {
            one.hearers.remove(hearer);
            endIfUnused(election, one);
        });
    }

    private void endIfUnused(ElectionName election, Watched one) {
        if (one.waiters.isEmpty() && one.hearers.isEmpty()) {
            watched.remove(election);
            one.observation.ifPresent(Observation::close);
        }
    }

    private void release(ElectionName election, Waiter waiter) {
        Watched one = watched.get(election);
        if (one == null || !one.waiters.remove(waiter)) {
            return;
        }
        waiter.end.cancel();
        endIfUnused(election, one);
        waiter.then.run();
    }
}
