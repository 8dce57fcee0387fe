package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** An honest coordinator behind another face: a twin overrides what it lies about. */
class Forwarding implements Coordinator {
    final Coordinator honest;

    Forwarding(Coordinator honest) {
        this.honest = honest;
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return honest.grant(owner, timeToLive);
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return honest.keepAlive(lease);
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return honest.revoke(lease);
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return honest.read(elections);
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return honest.swap(election, expected, next);
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return honest.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return honest.enlist(election, candidate);
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return honest.withdraw(election, candidate);
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return honest.candidates(elections);
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return honest.elections(prefix);
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return honest.clock();
    }

    @Override
    public Capabilities capabilities() {
        return honest.capabilities();
    }

    @Override
    public void close() {
        honest.close();
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
        return reading instanceof Reading.Found found
                ? new Reading.Found(otherwise.apply(found.record()), found.sentAtNanos())
                : reading;
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
