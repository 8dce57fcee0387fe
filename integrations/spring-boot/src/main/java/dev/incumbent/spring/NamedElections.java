package dev.incumbent.spring;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The elections that this application names. Beans may be made at any time, so names may come late. Thread-safe. */
final class NamedElections {
    private final Set<String> names = new LinkedHashSet<>();
    private Consumer<String> hears = name -> {};

    void add(String name) {
        if (isNew(name)) {
            hears().accept(name);
        }
    }

    private synchronized boolean isNew(String name) {
        return names.add(name);
    }

    private synchronized Consumer<String> hears() {
        return hears;
    }

    /** Tells that one each name, the known ones at once. A name may be told twice. */
    void tell(Consumer<String> listener) {
        hear(listener).forEach(listener);
    }

    void tellNobody() {
        hear(name -> {});
    }

    private synchronized List<String> hear(Consumer<String> listener) {
        hears = listener;
        return List.copyOf(names);
    }
}
