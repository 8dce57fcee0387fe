package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Sorted;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a process tells of itself. It travels once, then as changes; each beat names its generation.
 *
 * @param generation grows with each change
 * @param terms the terms that it has claimed, raises sinks for, or holds
 * @param listeners the processes connected with it, and their addresses: those who may confirm that it is silent; none while it has no term
 */
public record Announcement(long generation, Map<ElectionName, Long> terms, Map<CandidateId, String> listeners) {
    /** Before anything was told. */
    static final Announcement NOTHING = new Announcement(0, Map.of(), Map.of());

    public Announcement {
        terms = Sorted.copyOf(terms);
        listeners = Sorted.copyOf(listeners);
    }

    /** The next generation, with these terms; who listens is told only beside a term. */
    Announcement next(Map<ElectionName, Long> nextTerms, Map<CandidateId, String> nextListeners) {
        return new Announcement(generation + 1, nextTerms, nextTerms.isEmpty() ? Map.of() : nextListeners);
    }

    boolean says(Map<ElectionName, Long> otherTerms, Map<CandidateId, String> otherListeners) {
        return terms.equals(otherTerms) && listeners.equals(otherTerms.isEmpty() ? Map.of() : otherListeners);
    }

    /** What somebody who knows this one must be told to know that one. */
    Message.Change changeTo(Announcement later) {
        return new Message.Change(
                generation,
                later.generation,
                added(terms, later.terms),
                removed(terms, later.terms),
                added(listeners, later.listeners),
                removed(listeners, later.listeners));
    }

    /** This one after such a change. */
    Announcement changedBy(Message.Change change) {
        return new Announcement(
                change.to(),
                changed(terms, change.terms(), change.ended()),
                changed(listeners, change.joined(), change.left()));
    }

    private static <K extends Comparable<K>, V> Map<K, V> added(Map<K, V> before, Map<K, V> after) {
        Map<K, V> added = new TreeMap<>(after);
        added.entrySet().removeAll(before.entrySet());
        return added;
    }

    private static <K extends Comparable<K>> Set<K> removed(Map<K, ?> before, Map<K, ?> after) {
        Set<K> removed = new TreeSet<>(before.keySet());
        removed.removeAll(after.keySet());
        return removed;
    }

    private static <K extends Comparable<K>, V> Map<K, V> changed(Map<K, V> before, Map<K, V> added, Set<K> removed) {
        Map<K, V> changed = new TreeMap<>(before);
        changed.keySet().removeAll(removed);
        changed.putAll(added);
        return changed;
    }
}
