package dev.incumbent.coordinator.memory;

import java.util.ArrayList;
import java.util.List;

/** Those that have come and not gone, in the order of coming: two runs of one world must go alike. Mostly few, and the first comes first to go. Thread-safe. */
final class Arrivals<T> {
    private final List<T> here = new ArrayList<>();

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
