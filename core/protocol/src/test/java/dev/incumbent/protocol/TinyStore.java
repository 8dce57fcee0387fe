package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * One election's coordinator and its sinks, as a value: what transcripts and the exploration stand on. Without time: whoever uses it says when a lease dies.
 * A record's nonce is its revision, so that no revision repeats, not even after a restore.
 */
record TinyStore(LeaderRecord record, Set<LeaseId> alive, List<Enlisted> line, Map<SinkId, Mark> marks) {
    static final TinyStore EMPTY = new TinyStore(LeaderRecord.EMPTY, Set.of(), List.of(), Map.of());

    TinyStore {
        alive = Set.copyOf(alive);
        line = List.copyOf(line);
        marks = Map.copyOf(marks);
    }

    static Revision revision(LeaderRecord record) {
        return record.nonce().isEmpty() ? Revision.ABSENT : new Revision(record.nonce());
    }

    ObservedRecord observed() {
        return new ObservedRecord(
                record, revision(record), record.lease().filter(alive::contains).isPresent(), Optional.empty());
    }

    boolean accepts(Revision expected) {
        return expected.equals(revision(record));
    }

    TinyStore with(LeaderRecord next) {
        return new TinyStore(next, alive, line, marks);
    }

    TinyStore granting(LeaseId lease) {
        Set<LeaseId> more = new TreeSet<>(alive);
        more.add(lease);
        return new TinyStore(record, more, line, marks);
    }

    /** A lease dies, and takes its candidate off the list. */
    TinyStore killing(LeaseId lease) {
        Set<LeaseId> fewer = new TreeSet<>(alive);
        fewer.remove(lease);
        return new TinyStore(
                record,
                fewer,
                line.stream().filter(e -> !e.lease().equals(lease)).toList(),
                marks);
    }

    TinyStore enlisting(Enlisted entry, boolean atEnd) {
        List<Enlisted> next = new ArrayList<>(line);
        int place = places().indexOf(entry.candidate().id());
        if (place >= 0 && !atEnd) {
            next.set(place, entry);
        } else {
            next.removeIf(e -> e.candidate().id().equals(entry.candidate().id()));
            next.add(entry);
        }
        return new TinyStore(record, alive, next, marks);
    }

    TinyStore withdrawing(CandidateId id) {
        return new TinyStore(
                record,
                alive,
                line.stream().filter(e -> !e.candidate().id().equals(id)).toList(),
                marks);
    }

    List<CandidateId> places() {
        return line.stream().map(e -> e.candidate().id()).toList();
    }

    Optional<Mark> mark(SinkId sink) {
        return Optional.ofNullable(marks.get(sink));
    }

    /** The mark is lower, absent, or equal and mine; and no freeze owns it, or I am a freeze, or a thaw that names this very mark. */
    boolean passes(SinkId sink, Mark mark) {
        Optional<Mark> force = mark(sink);
        if (force.isEmpty() || force.get().equals(mark)) {
            return true;
        }
        boolean above = mark.token().compareTo(force.get().token()) > 0;
        boolean frozen = force.get().owner() instanceof MarkOwner.OfFreeze;
        boolean thaws = mark.owner() instanceof MarkOwner.OfThaw thaw
                && thaw.saw() == force.get().token().value();
        return above && (!frozen || mark.owner() instanceof MarkOwner.OfFreeze || thaws);
    }

    TinyStore raising(SinkId sink, Mark mark) {
        return passes(sink, mark) ? marked(sink, Optional.of(mark)) : this;
    }

    /** The sink as a backup, or a hand, left it. */
    TinyStore marked(SinkId sink, Optional<Mark> mark) {
        Map<SinkId, Mark> next = new TreeMap<>(marks);
        mark.ifPresentOrElse(m -> next.put(sink, m), () -> next.remove(sink));
        return new TinyStore(record, alive, line, next);
    }
}
