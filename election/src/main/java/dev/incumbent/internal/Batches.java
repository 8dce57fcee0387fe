package dev.incumbent.internal;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.protocol.Event;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/** Reads of one turn of the loop, each kind asked of the coordinator once, whatever the number of elections. Owned by the loop's thread. */
final class Batches {
    private final Coordinator coordinator;
    private final LeaseClock clock;
    private final BiConsumer<ElectionName, Event> answers;
    private Set<ElectionName> records = new TreeSet<>();
    private Set<ElectionName> lists = new TreeSet<>();

    /** {@code answers} may be called on any thread. */
    Batches(Coordinator coordinator, LeaseClock clock, BiConsumer<ElectionName, Event> answers) {
        this.coordinator = coordinator;
        this.clock = clock;
        this.answers = answers;
    }

    void readRecord(ElectionName election) {
        records.add(election);
    }

    void listCandidates(ElectionName election) {
        lists.add(election);
    }

    void flush() {
        if (!records.isEmpty()) {
            Set<ElectionName> asked = records;
            records = new TreeSet<>();
            read(asked);
        }
        if (!lists.isEmpty()) {
            Set<ElectionName> asked = lists;
            lists = new TreeSet<>();
            list(asked);
        }
    }

    private void read(Set<ElectionName> asked) {
        long sentAt = clock.nanos();
        Calls.of(() -> coordinator.read(asked))
                .whenComplete((readings, failure) -> asked.forEach(election -> {
                    Optional<Reading> reading =
                            failure == null ? Optional.ofNullable(readings.get(election)) : Optional.empty();
                    answers.accept(
                            election,
                            event(
                                    reading,
                                    failure == null ? "the coordinator did not answer for it" : Calls.why(failure),
                                    sentAt));
                }));
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
        Calls.of(() -> coordinator.candidates(asked))
                .whenComplete((lines, failure) -> asked.forEach(election -> {
                    Event event = failure == null
                            ? new Event.CandidatesListed(line(lines, election), sentAt)
                            : new Event.CandidatesUnlisted(Calls.why(failure));
                    answers.accept(election, event);
                }));
    }

    private static List<Enlisted> line(Map<ElectionName, List<Enlisted>> lines, ElectionName election) {
        return lines.getOrDefault(election, List.of());
    }
}
