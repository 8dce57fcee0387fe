package dev.incumbent.internal;

import java.util.ArrayList;
import java.util.List;

/** What a process observes, until its elections are closed. Thread-safe. */
final class Observations {
    private final List<Observing> begun = new ArrayList<>();
    private boolean isClosed;

    void begin(Observing observing) {
        synchronized (begun) {
            if (isClosed) {
                throw new IllegalStateException("cannot observe: these elections are closed");
            }
            begun.removeIf(Observing::isClosed);
            begun.add(observing);
        }
        observing.begin();
    }

    void close() {
        List<Observing> all;
        synchronized (begun) {
            isClosed = true;
            all = List.copyOf(begun);
            begun.clear();
        }
        all.forEach(Observing::close);
    }
}
