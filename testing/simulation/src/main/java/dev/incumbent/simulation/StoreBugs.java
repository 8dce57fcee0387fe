package dev.incumbent.simulation;

import static dev.incumbent.simulation.Canaries.bug;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.simulation.Canaries.Bug;
import dev.incumbent.simulation.Fault.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/** Bugs of a store, or of its client. */
final class StoreBugs {
    private StoreBugs() {}

    static List<Bug> all() {
        return List.of(
                bug(
                                "the-dead-are-kept-alive",
                                "a dead lease is never kept alive",
                                "SomeoneLeadsOnceFaultsCease",
                                0,
                                of(KeepsTheDead::new))
                        .needing(Kind.PAUSE_THE_LEADER),
                bug(
                        "granted-longer-than-it-holds",
                        "a granted length is what holds",
                        "NoGuardOutlastsItsLease",
                        0,
                        of(PromisesMore::new)),
                bug(
                                "a-compare-that-is-none",
                                "a swap compares the revision",
                                "OnlyTheOwnerEndsItsTerm",
                                0,
                                of(ComparesNothing::new))
                        .needing(Kind.SLOW),
                bug(
                        "dead-too-early",
                        "a lease is told dead only once it is",
                        "OnlyTheOwnerEndsItsTerm",
                        0,
                        of(BuriesEarly::new)),
                bug(
                                "lost-replies-are-wins",
                                "an ambiguous outcome is told as such",
                                "NoLeaderBeyondItsLease",
                                0,
                                of(TellsUncertainAsWon::new))
                        .needing(Kind.LOSSY),
                bug(
                        "terms-start-anew",
                        "the term survives every leader",
                        "OneLeaderPerTerm",
                        0,
                        of(ForgetsTheTerm::new)),
                bug(
                                "stale-reads",
                                "a read is never older than an acknowledged write",
                                "WhoeverIsSupersededWas",
                                1,
                                of(ReadsStale::new))
                        .needing(Kind.SUSPECT));
    }

    static Canary of(UnaryOperator<Coordinator> around) {
        return new Canary() {
            @Override
            public Coordinator coordinator(Coordinator whole) {
                return around.apply(whole);
            }
        };
    }

    /** Whole, but for what a bug overrides. */
    static class Whole extends ForwardingCoordinator {
        Whole(Coordinator inner) {
            super(inner);
        }

        /** What it found, rewritten. */
        final CompletionStage<Map<ElectionName, Reading>> rewritten(
                CompletionStage<Map<ElectionName, Reading>> read, UnaryOperator<ObservedRecord> otherwise) {
            return read.thenApply(readings -> {
                Map<ElectionName, Reading> all = new TreeMap<>(readings);
                all.replaceAll((name, reading) -> reading instanceof Reading.Found found
                        ? new Reading.Found(otherwise.apply(found.record()))
                        : reading);
                return all;
            });
        }
    }

    private static final class KeepsTheDead extends Whole {
        KeepsTheDead(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            return inner().keepAlive(lease)
                    .exceptionallyCompose(failure -> Failures.cause(failure) instanceof LeaseLostException
                            ? CompletableFuture.completedStage(null)
                            : CompletableFuture.failedStage(Failures.cause(failure)));
        }
    }

    private static final class PromisesMore extends Whole {
        PromisesMore(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
            return inner().grant(owner, timeToLive)
                    .thenApply(g -> new GrantedLease(
                            g.id(), g.timeToLive().multipliedBy(3).dividedBy(2)));
        }
    }

    private static final class ComparesNothing extends Whole {
        ComparesNothing(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            return inner().read(Set.of(election)).thenCompose(readings -> {
                Reading reading = readings.get(election);
                Revision now =
                        reading instanceof Reading.Found found ? found.record().revision() : expected;
                return inner().swap(election, now, next);
            });
        }
    }

    private static final class BuriesEarly extends Whole {
        BuriesEarly(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return rewritten(inner().read(elections), told -> {
                boolean alive = told.leaseAlive()
                        && told.leaseRemaining()
                                .filter(left -> left.compareTo(
                                                told.record().leaseLength().dividedBy(2))
                                        < 0)
                                .isEmpty();
                return new ObservedRecord(told.record(), told.revision(), alive, told.leaseRemaining());
            });
        }
    }

    private static final class TellsUncertainAsWon extends Whole {
        TellsUncertainAsWon(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            return inner().swap(election, expected, next).handle((swap, failure) -> {
                boolean uncertain = failure != null
                        && Failures.cause(failure) instanceof CoordinatorException e
                        && e.mayHaveApplied();
                if (failure != null && !uncertain) {
                    throw new CompletionException(Failures.cause(failure));
                }
                return uncertain ? new Swap.Accepted(new Revision(next.nonce())) : swap;
            });
        }
    }

    /** A record without a leader reads as one that was never written. */
    private static final class ForgetsTheTerm extends Whole {
        ForgetsTheTerm(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return rewritten(inner().read(elections), ForgetsTheTerm::forget);
        }

        @Override
        public Watch watch(ElectionName election, Watcher watcher) {
            return inner().watch(election, new Watcher() {
                @Override
                public void changed(ObservedRecord record) {
                    watcher.changed(forget(record));
                }

                @Override
                public void gap() {
                    watcher.gap();
                }

                @Override
                public void currentAsOf(long sentAtNanos) {
                    watcher.currentAsOf(sentAtNanos);
                }
            });
        }

        private static ObservedRecord forget(ObservedRecord told) {
            return told.isVacant()
                    ? new ObservedRecord(
                            LeaderRecord.EMPTY.withSinks(told.record().sinks()),
                            told.revision(),
                            false,
                            Optional.empty())
                    : told;
        }
    }

    private static final class ReadsStale extends Whole {
        private final Map<ElectionName, Reading> first = new TreeMap<>();

        ReadsStale(Coordinator inner) {
            super(inner);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return inner().read(elections).thenApply(readings -> {
                Map<ElectionName, Reading> all = new TreeMap<>(readings);
                all.replaceAll((name, reading) -> stale(name, reading));
                return all;
            });
        }

        /** Once it has shown a leader it goes on to show that one, for some reads. */
        private Reading stale(ElectionName name, Reading reading) {
            if (reading instanceof Reading.Found found
                    && found.record().record().leader().isPresent()) {
                first.putIfAbsent(name, reading);
            }
            return Optional.ofNullable(first.get(name)).orElse(reading);
        }

        @Override
        public Watch watch(ElectionName election, Watcher watcher) {
            return () -> {};
        }
    }
}
