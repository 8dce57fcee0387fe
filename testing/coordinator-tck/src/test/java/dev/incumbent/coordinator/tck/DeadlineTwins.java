package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Twins whose things end, and at the wrong time. */
final class DeadlineTwins {
    private static final Duration LATE = Duration.ofMinutes(1);

    private DeadlineTwins() {}

    static Stream<Twin> all() {
        return Stream.of(leases(), clocks(), calls()).flatMap(twins -> twins);
    }

    private static Stream<Twin> leases() {
        return Stream.of(
                Twin.of(
                        "keep-alives add up",
                        () -> (honest, time) -> new AddsUp(honest, time),
                        "Deadlines.aLeaseThatWasKeptAliveSeveralTimesDiesInTime"),
                Twin.of(
                        "a lease's whole length is told as what is left of it",
                        remaining((record, length) -> Optional.of(length)),
                        "Deadlines.theRemainderOfALeaseIsWhatIsLeftOfIt"),
                Twin.of(
                        "less is told as left of a lease than there is",
                        remaining((record, length) -> record.leaseRemaining().map(left -> left.dividedBy(2))),
                        "Deadlines.theRemainderOfALeaseIsWhatIsLeftOfIt"),
                Twin.of(
                        "all leases of a client have the first one's length",
                        () -> (honest, time) -> new OneLength(honest),
                        "Deadlines.ofSeveralLeasesOfOneClientEachHoldsForItsOwnLength"),
                Twin.of(
                        "a keep-alive extends by the length that was granted last",
                        () -> (honest, time) -> new KeptByTheLastLength(honest, time),
                        "Deadlines.ofSeveralLeasesOfOneClientEachHoldsForItsOwnLength"),
                Twin.of(
                        "a keep-alive extends all leases of its client",
                        () -> (honest, time) -> new KeepsAll(honest),
                        "Deadlines.ofSeveralLeasesOfOneClientEachHoldsForItsOwnLength"));
    }

    private static Stream<Twin> clocks() {
        return Stream.of(Twin.of(
                "a lease ends when the clock moves far, whichever way",
                EndsByAnyStep::dress,
                "Deadlines.aStepOfTheStoresClockBackEndsNoLease"));
    }

    private static Stream<Twin> calls() {
        return Stream.of(
                Twin.of(
                        "a call waits for the end of the one before",
                        () -> (honest, time) -> new OneAfterTheOther(honest),
                        "Outcomes.everyCallEndsWithinTheRequestTimeoutAlsoWhenCutOff"),
                Twin.of(
                        "closing waits until every call's time is up",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public void close() {
                                Timeline.Alarm late = time.at(time.nanos() + LATE.toNanos(), honest::close);
                                assert late != null;
                            }
                        },
                        "Deadlines.closingEndsACallBeforeItsTimeIsUp"));
    }

    private static Supplier<MemoryRig.Dress> remaining(BiFunction<ObservedRecord, Duration, Optional<Duration>> lie) {
        return () -> (honest, time) -> new Forwarding(honest) {
            @Override
            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                UnaryOperator<ObservedRecord> otherwise = it -> new ObservedRecord(
                        it.record(),
                        it.revision(),
                        it.leaseAlive(),
                        it.leaseAlive() ? lie.apply(it, it.record().leaseLength()) : Optional.empty());
                return readOtherwise(elections, (name, reading) -> tellOtherwise(reading, otherwise));
            }
        };
    }

    /** Each keep-alive after the first is made once more a lease later. */
    private static final class AddsUp extends Forwarding {
        private final VirtualTimeline time;
        private final Map<LeaseId, Duration> lengths = new HashMap<>();
        private final Map<LeaseId, Integer> keptAlive = new HashMap<>();

        private AddsUp(Coordinator honest, VirtualTimeline time) {
            super(honest);
            this.time = time;
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            return honest.grant(owner, timeToLive).thenApply(it -> {
                lengths.put(it.id(), it.timeToLive());
                return it;
            });
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            if (keptAlive.merge(lease, 1, Integer::sum) > 1) {
                long almost = lengths.getOrDefault(lease, Duration.ZERO).toNanos() / 10 * 9;
                Timeline.Alarm again = time.at(time.nanos() + almost, () -> keepOnceMore(lease));
                assert again != null;
            }
            return honest.keepAlive(lease);
        }

        private void keepOnceMore(LeaseId lease) {
            CompletionStage<Void> kept = honest.keepAlive(lease);
            assert kept != null;
        }
    }

    private static final class OneLength extends Forwarding {
        private Optional<Duration> length = Optional.empty();

        private OneLength(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            Duration first = length.orElse(timeToLive);
            length = Optional.of(first);
            return honest.grant(owner, first).thenApply(it -> new GrantedLease(it.id(), timeToLive));
        }
    }

    private static final class KeepsAll extends Forwarding {
        private final List<LeaseId> granted = new ArrayList<>();

        private KeepsAll(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            return honest.grant(owner, timeToLive).thenApply(it -> {
                granted.add(it.id());
                return it;
            });
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            granted.forEach(honest::keepAlive);
            return honest.keepAlive(lease);
        }
    }

    private static final class KeptByTheLastLength extends Forwarding {
        private final VirtualTimeline time;
        private final Map<LeaseId, Long> ends = new HashMap<>();
        private Duration length = Duration.ZERO;

        private KeptByTheLastLength(Coordinator honest, VirtualTimeline time) {
            super(honest);
            this.time = time;
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            length = timeToLive;
            return honest.grant(owner, timeToLive);
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            long end = time.nanos() + length.toNanos();
            ends.put(lease, end);
            Timeline.Alarm alarm = time.at(end, () -> endAt(lease, end));
            assert alarm != null;
            return honest.keepAlive(lease);
        }

        private void endAt(LeaseId lease, long end) {
            if (ends.getOrDefault(lease, Long.MAX_VALUE) == end) {
                CompletionStage<Void> revoked = honest.revoke(lease);
                assert revoked != null;
            }
        }
    }

    /** Judges by how far the clock is from where it was seen last. */
    private static final class EndsByAnyStep extends Forwarding {
        private static final Duration FAR = Duration.ofMinutes(30);

        private final AtomicReference<Instant> last;

        private EndsByAnyStep(Coordinator honest, AtomicReference<Instant> last) {
            super(honest);
            this.last = last;
        }

        static MemoryRig.Dress dress() {
            AtomicReference<Instant> last = new AtomicReference<>(Instant.MIN);
            return (honest, time) -> new EndsByAnyStep(honest, last);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            answerNow(honest.clock(), Optional.<Instant>empty()).ifPresent(last::set);
            return honest.grant(owner, timeToLive);
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            return steppedFar()
                    ? CompletableFuture.failedStage(new LeaseLostException(lease, "twin"))
                    : honest.keepAlive(lease);
        }

        private boolean steppedFar() {
            Instant now = answerNow(honest.clock(), Optional.<Instant>empty()).orElse(last.get());
            return Duration.between(last.get(), now).abs().compareTo(FAR) > 0;
        }
    }

    private static final class OneAfterTheOther extends Forwarding {
        private CompletionStage<?> before = CompletableFuture.completedStage(null);

        private OneAfterTheOther(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            return after(() -> honest.keepAlive(lease));
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return after(() -> honest.read(elections));
        }

        @Override
        public CompletionStage<Optional<Instant>> clock() {
            return after(honest::clock);
        }

        private <T> CompletionStage<T> after(Supplier<CompletionStage<T>> call) {
            CompletionStage<T> own = before.handle((done, failure) -> true).thenCompose(ended -> call.get());
            before = own;
            return own;
        }
    }
}
