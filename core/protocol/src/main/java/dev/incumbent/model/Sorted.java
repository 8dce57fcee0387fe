package dev.incumbent.model;

import java.util.AbstractMap;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Unmodifiable copies, in order. Most are empty, and all of these are one: a process may hold ten thousand records. */
public final class Sorted {
    private Sorted() {}

    /** A copy of such a copy is itself, so that records can share one. */
    public static <K extends Comparable<K>, V> Map<K, V> copyOf(Map<K, V> map) {
        if (map.isEmpty()) {
            return Collections.emptyMap();
        }
        return map instanceof Copy ? map : new Copy<>(map);
    }

    public static <E extends Comparable<E>> Set<E> copyOf(Set<E> set) {
        return set.isEmpty() ? Collections.emptySet() : Collections.unmodifiableSet(new TreeSet<>(set));
    }

    /** Known by its class to be in order and never changed. */
    private static final class Copy<K, V> extends AbstractMap<K, V> {
        private final Map<K, V> sorted;

        Copy(Map<K, V> map) {
            this.sorted = Collections.unmodifiableMap(new TreeMap<>(map));
        }

        @Override
        public Set<Entry<K, V>> entrySet() {
            return sorted.entrySet();
        }

        @Override
        public boolean containsKey(Object key) {
            return sorted.containsKey(key);
        }

        @Override
        @SuppressWarnings("NullAway") // of Map, whose get tells null where there is none
        public V get(Object key) {
            return sorted.get(key);
        }
    }
}
