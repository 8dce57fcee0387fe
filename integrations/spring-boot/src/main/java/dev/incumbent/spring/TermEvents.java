package dev.incumbent.spring;

import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.model.EndReason;
import java.util.List;

/** Tells all listeners of the application of the terms of all its elections. Thread-safe. */
final class TermEvents {
    private final List<TermListener> listeners;

    TermEvents(List<TermListener> listeners) {
        this.listeners = List.copyOf(listeners);
    }

    /** A listener of one election, which tells of a term only once that election's methods are let in. */
    TermListener after(TermWork work) {
        return new TermListener() {
            @Override
            public void onGranted(Leadership leadership) throws Exception {
                work.awaitBegun(leadership);
                tellAll(listener -> listener.onGranted(leadership));
            }

            @Override
            public void onRevoked(Leadership leadership, EndReason reason) {
                try {
                    tellAll(listener -> listener.onRevoked(leadership, reason));
                } catch (Exception thrown) {
                    throw thrown instanceof RuntimeException known ? known : new IllegalStateException(thrown);
                }
            }
        };
    }

    private interface Telling {
        void tell(TermListener listener) throws Exception;
    }

    /** One that throws keeps nothing from the others. */
    private void tellAll(Telling telling) throws Exception {
        Exception first = null;
        for (TermListener listener : listeners) {
            try {
                telling.tell(listener);
            } catch (Exception thrown) {
                if (first == null) {
                    first = thrown;
                } else {
                    first.addSuppressed(thrown);
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
