package dev.incumbent.coordinator.memory;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** A set that remembers the order of coming, whatever the hashes: two runs of one world must go alike. Thread-safe. */
final class Arrivals<T> {
    private final Map<T, Long> numbers = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();

    void add(T one) {
        numbers.putIfAbsent(one, next.getAndIncrement());
    }

    void remove(Object one) {
        numbers.remove(one);
    }

    boolean isEmpty() {
        return numbers.isEmpty();
    }

    /** Those here now, first come first. */
    List<T> inOrder() {
        return numbers.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }
}
