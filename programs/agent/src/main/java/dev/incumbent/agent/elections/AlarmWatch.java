package dev.incumbent.agent.elections;

import dev.incumbent.agent.alarms.AlarmRegister;
import dev.incumbent.agent.alarms.AsideLog;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.telling.conflict.Conflict;
import dev.incumbent.telling.conflict.ElectionViews;
import dev.incumbent.telling.conflict.MetMark;
import dev.incumbent.telling.conflict.SinkView;
import dev.incumbent.telling.conflict.StaleWrite;
import dev.incumbent.telling.conflict.ViewComparison;
import dev.incumbent.time.Timeline;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;

/**
 * Looks again and again whether the views of elections contradict each other: of those that owners of this host stand in, that have an alarm, or of which writers report refusals.
 *
 * <p>One look is under way at a time, at {@link #MOST_AT_ONCE} elections: their marks at each sink, <em>then</em> their records, a request each. The next one begins {@link #BETWEEN_LOOKS} after
 * its end at the earliest, and at the same election a third of a lease after the last one. A look that has not ended after {@link #LONGEST_LOOK} is given up, and its late answers count for nothing;
 * what is thrown is logged, once until a look succeeds, and stops no later look. All is called on the strand, and {@link #begin} from anywhere.
 */
final class AlarmWatch {
    /** Elections of one look. */
    static final int MOST_AT_ONCE = 100;
    /** So 10,000 elections take a hundred looks, and a hundred seconds. */
    static final Duration BETWEEN_LOOKS = Duration.ofSeconds(1);

    /** Who has not answered by then is not waited for. */
    static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

    private final AsideLog log = new AsideLog();
    private final Strand strand;
    private final Subjects subjects;
    private final AlarmRegister register;
    private final RecentReports<StaleWrite> stale = new RecentReports<>(Bounds.REPORTS);
    private final RecentReports<MetMark> met = new RecentReports<>(Bounds.ELECTIONS);
    private final Duration cycle;
    private final boolean isForgetful;
    private Optional<ElectionName> last = Optional.empty();
    private long cycleBeganNanos;
    private Timeline.Alarm next = () -> {};
    private Timeline.Alarm bound = () -> {};
    private final Set<ElectionName> failed = new TreeSet<>();
    private boolean lookFails;
    /** The number of the look that is under way. */
    private long looks;

    private boolean isOver;

    /** What is looked at, and how it is asked. */
    interface Subjects {
        /** The elections that owners of this host stand in. */
        NavigableSet<ElectionName> stoodIn();

        /** The term that this process holds now, by its own guard. */
        Optional<Term> held(ElectionName election);

        /** What the sinks say of some elections; those that do not answer are left out. Never fails. */
        CompletionStage<List<SinkMarks>> marks(NavigableSet<ElectionName> elections);

        /** The records of some elections. */
        CompletionStage<Map<ElectionName, Reading>> records(NavigableSet<ElectionName> elections);
    }

    /**
     * Looks at nothing yet.
     *
     * @param cycle between two looks at one election, at least
     * @param isForgetful may the coordinator forget what it acknowledged? Then one look proves nothing
     */
    AlarmWatch(Strand strand, Subjects subjects, AlarmRegister register, Duration cycle, boolean isForgetful) {
        this.strand = strand;
        this.subjects = subjects;
        this.register = register;
        this.cycle = cycle;
        this.isForgetful = isForgetful;
    }

    /** Looks from now on. */
    void begin() {
        strand.execute(() -> {
            cycleBeganNanos = strand.nanos() + cycle.toNanos();
            later(cycle);
        });
    }

    void end() {
        isOver = true;
        next.cancel();
        bound.cancel();
    }

    /** A writer of this host reports that a sink has refused its token. */
    void report(ElectionName election, StaleWrite write) {
        stale.add(election, write, strand.nanos());
    }

    /** A term of this host met a mark above it. */
    void met(ElectionName election, MetMark mark) {
        met.add(election, mark, strand.nanos());
    }

    private void later(Duration wait) {
        next = strand.at(strand.nanos() + wait.toNanos(), this::look);
    }

    private void look() {
        if (isOver) {
            return;
        }
        NavigableSet<ElectionName> batch = batch();
        if (batch.isEmpty()) {
            beginAnew();
            return;
        }
        last = Optional.of(batch.last());
        long number = ++looks;
        bound = strand.at(
                strand.nanos() + LONGEST_LOOK.toNanos(),
                () -> fail(number, new TimeoutException("no answer within " + LONGEST_LOOK.toSeconds() + " s")));
        Map<ElectionName, Term> before = held(batch);
        step(
                number,
                () -> subjects.marks(batch)
                        .whenComplete((sinks, failure) -> strand.execute(() -> {
                            if (failure == null && sinks != null) {
                                ask(number, batch, before, sinks);
                            } else {
                                fail(
                                        number,
                                        failure == null
                                                ? new IllegalStateException("the sinks answered null")
                                                : failure);
                            }
                        })));
    }

    private void ask(
            long number, NavigableSet<ElectionName> batch, Map<ElectionName, Term> before, List<SinkMarks> sinks) {
        step(
                number,
                () -> subjects.records(batch)
                        .whenComplete((readings, failure) -> strand.execute(() -> {
                            if (failure == null && readings != null) {
                                compare(number, batch, before, sinks, readings);
                            } else {
                                fail(
                                        number,
                                        failure == null
                                                ? new IllegalStateException("the coordinator answered null")
                                                : failure);
                            }
                        })));
    }

    private void compare(
            long number,
            NavigableSet<ElectionName> batch,
            Map<ElectionName, Term> before,
            List<SinkMarks> sinks,
            Map<ElectionName, Reading> readings) {
        if (isUnderWay(number)) {
            batch.forEach(one -> compare(one, Optional.ofNullable(before.get(one)), sinks, readings));
            lookFails = false;
            finish();
        }
    }

    private boolean isUnderWay(long number) {
        return number == looks && !isOver;
    }

    private void step(long number, Runnable asks) {
        if (isUnderWay(number)) {
            try {
                asks.run();
            } catch (RuntimeException | Error thrown) {
                fail(number, thrown);
            }
        }
    }

    /** That the coordinator does not answer is told elsewhere. */
    private void fail(long number, Throwable failure) {
        if (!isUnderWay(number)) {
            return;
        }
        Throwable cause = failure.getCause();
        Throwable why = failure instanceof CompletionException && cause != null ? cause : failure;
        if (!(why instanceof CoordinatorException) && !lookFails) {
            lookFails = true;
            log.log(
                    Level.ERROR,
                    "the views of " + last.map(ElectionName::value).orElse("") + " and those looked at"
                            + " with it were not compared; their alarms stay as they are",
                    why);
        }
        finish();
    }

    private void finish() {
        looks++;
        bound.cancel();
        lookLater();
    }

    /** The next ones in order; none once all have been looked at. */
    private NavigableSet<ElectionName> batch() {
        NavigableSet<ElectionName> all = new TreeSet<>(subjects.stoodIn());
        all.addAll(register.elections());
        all.addAll(stale.elections(strand.nanos()));
        all.addAll(met.elections(strand.nanos()));
        NavigableSet<ElectionName> batch = new TreeSet<>();
        all.stream()
                .filter(one -> last.filter(done -> one.compareTo(done) <= 0).isEmpty())
                .limit(MOST_AT_ONCE)
                .forEach(batch::add);
        return batch;
    }

    private Map<ElectionName, Term> held(NavigableSet<ElectionName> batch) {
        Map<ElectionName, Term> held = new TreeMap<>();
        batch.forEach(one -> subjects.held(one).ifPresent(term -> held.put(one, term)));
        return held;
    }

    private void lookLater() {
        if (isOver) {
            return;
        }
        if (batch().isEmpty()) {
            beginAnew();
        } else {
            later(BETWEEN_LOOKS);
        }
    }

    /** All have been looked at: the rest of the cycle's time is waited for. */
    private void beginAnew() {
        last = Optional.empty();
        long restNanos = cycle.toNanos() - (strand.nanos() - cycleBeganNanos);
        long waitNanos = Math.max(BETWEEN_LOOKS.toNanos(), restNanos);
        cycleBeganNanos = strand.nanos() + waitNanos;
        later(Duration.ofNanos(waitNanos));
    }

    private void compare(
            ElectionName election, Optional<Term> before, List<SinkMarks> sinks, Map<ElectionName, Reading> readings) {
        try {
            judge(election, before, sinks, readings);
            failed.remove(election);
        } catch (RuntimeException | Error thrown) {
            if (failed.size() < Bounds.ELECTIONS && failed.add(election)) {
                log.log(Level.ERROR, election + ": its views were not compared; its alarms stay as they are", thrown);
            }
        }
    }

    private void judge(
            ElectionName election, Optional<Term> before, List<SinkMarks> sinks, Map<ElectionName, Reading> readings) {
        Optional<Term> held = before.filter(term -> subjects.held(election)
                .filter(now -> now.number() == term.number())
                .isPresent());
        TreeMap<SinkId, SinkView> views = new TreeMap<>();
        sinks.forEach(sink -> views.put(sink.id(), SinkView.of(sink.label(), sink.read(), election)));
        Reading reading = readings.getOrDefault(election, new Reading.Absent());
        ElectionViews all = new ElectionViews(
                election, held, reading, views, stale.of(election, strand.nanos()), met.of(election, strand.nanos()));
        List<Conflict> conflicts = ViewComparison.of(all);
        List<Conflict> judged =
                isForgetful ? conflicts.stream().map(Conflict::uncertain).toList() : conflicts;
        register.looked(election, all.known(), judged, strand.now());
    }
}
