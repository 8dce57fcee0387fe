package dev.incumbent.model;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Unmodifiable copies, in order. Most are empty, and all of these are one: a process may hold ten thousand records. */
public final class Sorted {
    private Sorted() {}

    public static <K extends Comparable<K>, V> Map<K, V> copyOf(Map<K, V> map) {
        return map.isEmpty() ? Collections.emptyMap() : Collections.unmodifiableMap(new TreeMap<>(map));
    }

    public static <E extends Comparable<E>> Set<E> copyOf(Set<E> set) {
        return set.isEmpty() ? Collections.emptySet() : Collections.unmodifiableSet(new TreeSet<>(set));
    }
}
