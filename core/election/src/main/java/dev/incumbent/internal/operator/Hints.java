package dev.incumbent.internal.operator;

import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.protocol.operator.OperatorEvent;
import java.util.function.Consumer;

/** A watch as an operation hears it: as hints to read again. */
record Hints(Consumer<OperatorEvent> hearer) implements Watcher {
    @Override
    public void changed(ObservedRecord record) {
        hearer.accept(new OperatorEvent.RecordWatched(record));
    }

    @Override
    public void gap() {
        hearer.accept(new OperatorEvent.WatchBroken());
    }

    @Override
    public void currentAsOf(long sentAtNanos) {
        // Only reads decide here, so that a watch is current proves nothing more.
    }
}
