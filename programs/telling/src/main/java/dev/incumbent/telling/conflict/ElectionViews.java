package dev.incumbent.telling.conflict;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The views of one election. <em>The marks were read before the record</em>: so a mark never runs ahead of a record that is sound.
 *
 * @param held the term that this process held from before the marks were read until after the record was, its guard asked both times
 * @param sinks those that were read, by their ids
 * @param stale the newest refusal that a writer reported
 * @param met the newest mark for which a term of this host was given up
 */
public record ElectionViews(
        ElectionName election,
        Optional<Term> held,
        Reading reading,
        SortedMap<SinkId, SinkView> sinks,
        Optional<StaleWrite> stale,
        Optional<MetMark> met) {
    public ElectionViews {
        sinks = new TreeMap<>(sinks);
    }

    /** Could the record be read and understood? Otherwise nothing is compared. */
    public boolean isRead() {
        return reading instanceof Reading.Found || reading instanceof Reading.Absent;
    }

    /** About what something is known now, as {@link Conflict#about} names it: a conflict about anything else may have ended or not. */
    public Set<String> known() {
        Set<String> known = new TreeSet<>();
        if (isRead()) {
            known.add("");
            sinks.keySet().forEach(sink -> known.add(sink.value()));
        }
        return known;
    }

    ObservedRecord observed() {
        return reading instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT;
    }

    LeaderRecord record() {
        return observed().record();
    }
}
