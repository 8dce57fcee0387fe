package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** An honest coordinator behind another face: a twin overrides what it lies about. */
class Forwarding extends ForwardingCoordinator {
    final Coordinator honest;

    Forwarding(Coordinator honest) {
        super(honest);
        this.honest = honest;
    }

    /** The honest answer of a read, each record told otherwise. */
    final CompletionStage<Map<ElectionName, Reading>> readOtherwise(
            Set<ElectionName> elections, BiFunction<ElectionName, Reading, Reading> otherwise) {
        return honest.read(elections).thenApply(readings -> {
            Map<ElectionName, Reading> told = new LinkedHashMap<>();
            readings.forEach((name, reading) -> told.put(name, otherwise.apply(name, reading)));
            return told;
        });
    }

    static Reading tellOtherwise(Reading reading, UnaryOperator<ObservedRecord> otherwise) {
        return reading instanceof Reading.Found found ? new Reading.Found(otherwise.apply(found.record())) : reading;
    }

    /** The answer to what was just asked: over a wire that is in order, it is there at once. */
    static <T> T answerNow(CompletionStage<T> stage, T otherwise) {
        CompletableFuture<T> asked = stage.toCompletableFuture();
        return asked.isCompletedExceptionally() ? otherwise : asked.getNow(otherwise);
    }

    static ObservedRecord withLeaseAlive(ObservedRecord record, boolean alive) {
        return new ObservedRecord(record.record(), record.revision(), alive, record.leaseRemaining());
    }

    /** A watcher that passes everything on: a twin overrides what it lies about. */
    static class ForwardingWatcher implements Watcher {
        final Watcher real;

        ForwardingWatcher(Watcher real) {
            this.real = real;
        }

        @Override
        public void changed(ObservedRecord record) {
            real.changed(record);
        }

        @Override
        public void gap() {
            real.gap();
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            real.currentAsOf(sentAtNanos);
        }
    }
}
