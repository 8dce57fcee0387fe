package dev.incumbent.coordinator.memory;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A set that remembers the order of coming, whatever the hashes: two runs of one world must go alike. Thread-safe. */
final class Arrivals<T> {
    private final Set<T> here = new LinkedHashSet<>();

    synchronized void add(T one) {
        here.add(one);
    }

    synchronized void remove(Object one) {
        here.remove(one);
    }

    synchronized boolean isEmpty() {
        return here.isEmpty();
    }

    /** Those here now, first come first. */
    synchronized List<T> inOrder() {
        return List.copyOf(here);
    }
}
