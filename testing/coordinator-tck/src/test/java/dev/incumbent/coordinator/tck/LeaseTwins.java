package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Twins that lie about leases. */
final class LeaseTwins {
    private LeaseTwins() {}

    static Stream<Twin> all() {
        return Stream.of(deaths(), lengths(), ends()).flatMap(twins -> twins);
    }

    private static Stream<Twin> deaths() {
        return Stream.of(
                Twin.of(
                        "a dead lease revives when the clock steps back",
                        Revived::dress,
                        "Leases.aLeaseToldDeadByAReadStaysDeadWhenTheStoresClockStepsBack",
                        "Leases.aLeaseToldDeadByAKeepAliveStaysDeadWhenTheStoresClockStepsBack",
                        "Leases.aLeaseToldDeadByAnEnlistingStaysDeadWhenTheStoresClockStepsBack",
                        "Leases.aLeaseToldDeadByAWatchStaysDeadWhenTheStoresClockStepsBack"),
                Twin.of(
                        "whether a lease is alive is computed from a stale end",
                        AliveByTheFirstEnd::dress,
                        "Leases.aLeaseKeptAliveIsNotReadAsDead"));
    }

    private static Stream<Twin> lengths() {
        return Stream.of(
                Twin.of(
                        "more is told as granted than holds",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
                                return honest.grant(owner, timeToLive)
                                        .thenApply(it -> new GrantedLease(
                                                it.id(), it.timeToLive().multipliedBy(2)));
                            }
                        },
                        "Leases.aLeaseHoldsForTheLengthThatItWasGrantedFor"),
                Twin.of(
                        "less is granted than was asked for",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
                                return honest.grant(owner, timeToLive.dividedBy(2));
                            }
                        },
                        "Leases.aLeaseIsGrantedForAtLeastTheLengthAskedFor"),
                Twin.of(
                        "every second keep-alive is only told as done",
                        () -> (honest, time) -> new EverySecondKeepAlive(honest),
                        "Leases.eachKeepAliveExtendsALeaseForItsWholeLengthFromItsArrival",
                        "Leases.aBurialUnderWayWhenTheClockStepsBackEndsNoLeaseThatWasKeptAliveSince"));
    }

    private static Stream<Twin> ends() {
        return Stream.of(
                Twin.of("the id of a revoked lease is granted again", Reused::dress, "Leases.noIdIsGrantedTwice"),
                Twin.of(
                        "a second revoke fails",
                        () -> {
                            Set<LeaseId> revoked = new HashSet<>();
                            return (honest, time) -> new Forwarding(honest) {
                                @Override
                                public CompletionStage<Void> revoke(LeaseId lease) {
                                    return revoked.add(lease)
                                            ? honest.revoke(lease)
                                            : CompletableFuture.failedStage(new LeaseLostException(lease, "twin"));
                                }
                            };
                        },
                        "Leases.revokingALeaseIsFinalAndMayBeRepeated"),
                Twin.of(
                        "a keep-alive without an answer is told as a lost lease",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Void> keepAlive(LeaseId lease) {
                                return honest.keepAlive(lease).exceptionally(failure -> {
                                    throw new LeaseLostException(lease, "twin");
                                });
                            }
                        },
                        "Outcomes.aKeepAliveWithoutAnAnswerDoesNotTellThatTheLeaseIsLost"),
                Twin.of(
                        "leases die with their connection",
                        () -> (honest, time) -> new DiesWithItsConnection(honest),
                        "Leases.aLeaseOutlivesTheConnectionThatItWasGrantedOver"),
                Twin.of(
                        "more is told as left of a lease than it has",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                                return readOtherwise(
                                        elections,
                                        (name, reading) -> tellOtherwise(
                                                reading,
                                                it -> new ObservedRecord(
                                                        it.record(),
                                                        it.revision(),
                                                        it.leaseAlive(),
                                                        it.leaseRemaining().map(left -> left.plusSeconds(1)))));
                            }
                        },
                        "Leases.theRemainderOfALeaseIsNoLongerThanTheLease"));
    }

    /** Once the clock was seen to go back, whoever is dead is told alive. */
    private static final class Revived extends Forwarding {
        private final Instant[] latest;

        private Revived(Coordinator honest, Instant[] latest) {
            super(honest);
            this.latest = latest;
        }

        static MemoryRig.Dress dress() {
            Instant[] latest = {Instant.MIN};
            return (honest, time) -> new Revived(honest, latest);
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            return wentBack() ? CompletableFuture.completedStage(null) : honest.keepAlive(lease);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return readOtherwise(
                    elections,
                    (name, reading) -> tellOtherwise(
                            reading, record -> withLeaseAlive(record, record.leaseAlive() || wentBack())));
        }

        private boolean wentBack() {
            Instant now = answerNow(honest.clock(), Optional.<Instant>empty()).orElse(latest[0]);
            latest[0] = now.isAfter(latest[0]) ? now : latest[0];
            return now.isBefore(latest[0]);
        }
    }

    /** Reads the end that a lease had when it was granted, as a snapshot older than its keep-alives would. */
    private static final class AliveByTheFirstEnd extends Forwarding {
        private final VirtualTimeline time;
        private final Map<LeaseId, Long> ends;

        private AliveByTheFirstEnd(Coordinator honest, VirtualTimeline time, Map<LeaseId, Long> ends) {
            super(honest);
            this.time = time;
            this.ends = ends;
        }

        static MemoryRig.Dress dress() {
            Map<LeaseId, Long> ends = new HashMap<>();
            return (honest, time) -> new AliveByTheFirstEnd(honest, time, ends);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            return honest.grant(owner, timeToLive).thenApply(it -> {
                ends.put(it.id(), time.nanos() + it.timeToLive().toNanos());
                return it;
            });
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return readOtherwise(
                    elections,
                    (name, reading) -> tellOtherwise(
                            reading,
                            record -> withLeaseAlive(
                                    record,
                                    record.record()
                                            .lease()
                                            .filter(lease -> time.nanos() < ends.getOrDefault(lease, Long.MIN_VALUE))
                                            .isPresent())));
        }
    }

    private static final class EverySecondKeepAlive extends Forwarding {
        private int count;

        private EverySecondKeepAlive(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            return count++ % 2 == 0 ? CompletableFuture.completedStage(null) : honest.keepAlive(lease);
        }
    }

    /** Tells the id of a revoked lease for the next one granted. */
    private static final class Reused extends Forwarding {
        private final Deque<LeaseId> free;
        private final Map<LeaseId, LeaseId> meant = new HashMap<>();

        private Reused(Coordinator honest, Deque<LeaseId> free) {
            super(honest);
            this.free = free;
        }

        static MemoryRig.Dress dress() {
            Deque<LeaseId> free = new ArrayDeque<>();
            return (honest, time) -> new Reused(honest, free);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            return honest.grant(owner, timeToLive).thenApply(it -> {
                LeaseId told = free.isEmpty() ? it.id() : free.pop();
                meant.put(told, it.id());
                return new GrantedLease(told, it.timeToLive());
            });
        }

        @Override
        public CompletionStage<Void> revoke(LeaseId lease) {
            free.push(lease);
            return honest.revoke(meant.getOrDefault(lease, lease));
        }
    }

    private static final class DiesWithItsConnection extends Forwarding {
        private final Set<LeaseId> granted = new HashSet<>();

        private DiesWithItsConnection(Coordinator honest) {
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
        public void close() {
            granted.forEach(honest::revoke);
            honest.close();
        }
    }
}
