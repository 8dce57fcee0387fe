package dev.incumbent.internal;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.SinkId;
import dev.incumbent.protocol.Event;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads of one turn of the loop, each kind asked of the coordinator once, whatever the number of elections; but thousands by and by, at the coordinator's pace,
 * first what proves a term, then what has waited longest. Owned by the loop's thread.
 */
final class Batches {
    private static final int FEWEST = 500;
    private static final int MOST = 4_000;

    private final Coordinator coordinator;
    private final LeaseClock clock;
    private final Answers answers;
    private final Pace pace;
    private final Set<ElectionName> proofs = new LinkedHashSet<>();
    private final Set<ElectionName> records = new LinkedHashSet<>();
    private final Set<ElectionName> lists = new LinkedHashSet<>();
    private final MarkReads marks;

    Batches(Coordinator coordinator, LeaseClock clock, long promptNanos, Answers answers) {
        this.coordinator = coordinator;
        this.clock = clock;
        this.answers = answers;
        this.pace = new Pace(FEWEST, MOST, promptNanos);
        this.marks = new MarkReads(clock, answers::of);
    }

    /** Who is told. Called on any thread. */
    interface Answers {
        void of(ElectionName election, Event event);

        /** Soon, on the loop's thread; it flushes thereafter. */
        void thereafter(Runnable task);
    }

    void readRecord(ElectionName election) {
        if (!proofs.contains(election)) {
            records.add(election);
        }
    }

    /** Reads it before others: a term stands and falls with it. */
    void readProof(ElectionName election) {
        records.remove(election);
        proofs.add(election);
    }

    void listCandidates(ElectionName election) {
        lists.add(election);
    }

    void readMark(ElectionName election, SinkId id, Sink sink) {
        marks.read(election, id, sink);
    }

    void flush() {
        while (mayAsk(proofs)) {
            read(next(proofs));
        }
        while (mayAsk(records)) {
            read(next(records));
        }
        while (mayAsk(lists)) {
            list(next(lists));
        }
        marks.flush();
    }

    /** Not by ones and twos while many wait. */
    private boolean mayAsk(Set<ElectionName> waiting) {
        return !waiting.isEmpty() && pace.room() >= Math.min(FEWEST, waiting.size());
    }

    /** As many as may be asked now. */
    private Set<ElectionName> next(Set<ElectionName> waiting) {
        Set<ElectionName> asked = new TreeSet<>();
        Iterator<ElectionName> first = waiting.iterator();
        while (first.hasNext() && asked.size() < pace.room()) {
            asked.add(first.next());
            first.remove();
        }
        pace.asked(asked.size());
        return asked;
    }

    private void ended(Set<ElectionName> asked, long sentAt) {
        answers.thereafter(() -> pace.ended(asked.size(), sentAt, clock.nanos()));
    }

    private void read(Set<ElectionName> asked) {
        long sentAt = clock.nanos();
        Calls.of(() -> coordinator.read(asked)).whenComplete((readings, failure) -> {
            String why = failure == null ? "the coordinator did not answer for it" : Calls.why(failure);
            asked.forEach(election -> {
                Optional<Reading> reading =
                        failure == null ? Optional.ofNullable(readings.get(election)) : Optional.empty();
                answers.of(election, event(reading, why, sentAt));
            });
            ended(asked, sentAt);
        });
    }

    private static Event event(Optional<Reading> reading, String why, long sentAt) {
        if (reading.isEmpty()) {
            return new Event.RecordUnread(why);
        }
        if (reading.get() instanceof Reading.Found found) {
            return new Event.RecordObserved(found.record(), sentAt);
        }
        if (reading.get() instanceof Reading.Unread unread) {
            return new Event.RecordUnread(unread.why());
        }
        if (reading.get() instanceof Reading.Foreign foreign) {
            return new Event.RecordUnread(foreign.why());
        }
        return new Event.RecordObserved(ObservedRecord.ABSENT, sentAt);
    }

    private void list(Set<ElectionName> asked) {
        long sentAt = clock.nanos();
        Calls.of(() -> coordinator.candidates(asked)).whenComplete((lines, failure) -> {
            asked.forEach(election -> answers.of(
                    election,
                    failure == null
                            ? new Event.CandidatesListed(line(lines, election), sentAt)
                            : new Event.CandidatesUnlisted(Calls.why(failure))));
            ended(asked, sentAt);
        });
    }

    private static List<Enlisted> line(Map<ElectionName, List<Enlisted>> lines, ElectionName election) {
        return lines.getOrDefault(election, List.of());
    }
}
