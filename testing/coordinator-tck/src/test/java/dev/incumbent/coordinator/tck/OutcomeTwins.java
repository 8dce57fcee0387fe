package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Twins that lie about how calls end, about candidates, and about what closing releases. */
final class OutcomeTwins {
    private OutcomeTwins() {}

    static Stream<Twin> all() {
        return Stream.concat(outcomes(), candidates());
    }

    private static Stream<Twin> outcomes() {
        return Stream.of(
                Twin.of(
                        "a swap without an answer is told as not applied",
                        swapping(failure -> {
                            throw new CoordinatorException("twin", false);
                        }),
                        "Outcomes.aSwapWhoseAnswerIsLostMayHaveApplied",
                        "Outcomes.aSwapThatArrivesAfterItsTimeMayHaveApplied",
                        "Outcomes.aSwapToldAsNotAppliedIsNeverApplied"),
                Twin.of(
                        "a swap without an answer is told as refused",
                        swapping(failure -> new Swap.Refused(Optional.empty())),
                        "Outcomes.aSwapWhoseAnswerIsLostMayHaveApplied",
                        "Outcomes.aSwapToldAsNotAppliedIsNeverApplied"),
                Twin.of(
                        "a swap without an answer is told as accepted",
                        swapping(failure -> new Swap.Accepted(new Revision("twin"))),
                        "Outcomes.aSwapToldAsNotAppliedIsNeverApplied"),
                Twin.of(
                        "a call does not end",
                        () -> (honest, time) -> new WithoutEnd(honest),
                        "Outcomes.everyCallEndsWithinTheRequestTimeoutAlsoWhenCutOff",
                        "Closing.aCallUnderWayEndsWithItsClient"),
                Twin.of(
                        "a write is sent again",
                        () -> (honest, time) -> new SendsAgain(honest, time),
                        "Outcomes.whatWasLostOnTheWayIsNotSentAgain"),
                Twin.of(
                        "a read without an answer is told as absent",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                                return honest.read(elections).exceptionally(failure -> {
                                    Map<ElectionName, Reading> absent = new LinkedHashMap<>();
                                    elections.forEach(name -> absent.put(name, new Reading.Absent()));
                                    return absent;
                                });
                            }
                        },
                        "Outcomes.aReadWithoutAnAnswerSaysNothingAboutTheRecord"),
                Twin.of(
                        "closing leaves a thread",
                        () -> (honest, time) -> new LeavesAThread(honest),
                        "Closing.aClosedClientLeavesNoThread"),
                Twin.of(
                        "closing twice fails",
                        () -> (honest, time) -> new ClosesOnce(honest),
                        "Closing.closingMayBeRepeatedAndLeavesOtherClientsAlone"));
    }

    private static Stream<Twin> candidates() {
        return Stream.of(
                Twin.of(
                        "candidates are told by name",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(
                                    Set<ElectionName> elections) {
                                return honest.candidates(elections).thenApply(lists -> {
                                    Map<ElectionName, List<Enlisted>> sorted = new LinkedHashMap<>();
                                    lists.forEach((name, list) -> sorted.put(name, byName(list)));
                                    return sorted;
                                });
                            }
                        },
                        "Candidates.candidatesStandInTheOrderOfTheirEnlisting"),
                Twin.of(
                        "enlisting again loses the place",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
                                return honest.withdraw(
                                                election, candidate.candidate().id())
                                        .thenCompose(done -> honest.enlist(election, candidate));
                            }
                        },
                        "Candidates.whoEnlistsAgainKeepsItsPlaceAndIsUpdated"),
                Twin.of(
                        "a candidate outlives its lease",
                        () -> {
                            Map<ElectionName, Map<Object, Enlisted>> all = new LinkedHashMap<>();
                            return (honest, time) -> new NeverForgets(honest, all);
                        },
                        "Candidates.aCandidateIsGoneWithItsLease"),
                Twin.of(
                        "enlisting under a dead lease is told as done",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
                                return honest.enlist(election, candidate).handle((done, failure) -> null);
                            }
                        },
                        "Candidates.nobodyEnlistsUnderADeadLease"),
                Twin.of(
                        "an empty list of candidates is not told",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(
                                    Set<ElectionName> elections) {
                                return honest.candidates(elections).thenApply(lists -> {
                                    Map<ElectionName, List<Enlisted>> told = new LinkedHashMap<>(lists);
                                    told.values().removeIf(List::isEmpty);
                                    return told;
                                });
                            }
                        },
                        "Candidates.everyElectionAskedForHasItsListAndNoOtherHas"));
    }

    private static List<Enlisted> byName(List<Enlisted> list) {
        return list.stream()
                .sorted((a, b) -> a.candidate().name().compareTo(b.candidate().name()))
                .toList();
    }

    private static Supplier<MemoryRig.Dress> swapping(Function<Throwable, Swap> lie) {
        return () -> (honest, time) -> new Forwarding(honest) {
            @Override
            public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
                return honest.swap(election, expected, next).exceptionally(lie);
            }
        };
    }

    private static final class WithoutEnd extends Forwarding {
        private WithoutEnd(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            CompletableFuture<Swap> endless = new CompletableFuture<>();
            honest.swap(election, expected, next).thenAccept(endless::complete);
            return endless;
        }
    }

    /** Sends a swap that was not answered until it is. */
    private static final class SendsAgain extends Forwarding {
        private static final Duration PAUSE = Duration.ofMillis(100);

        private final VirtualTimeline time;

        private SendsAgain(Coordinator honest, VirtualTimeline time) {
            super(honest);
            this.time = time;
        }

        @Override
        public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
            CompletionStage<Swap> first = honest.swap(election, expected, next);
            first.whenComplete((swap, failure) -> {
                if (failure != null) {
                    time.at(time.nanos() + PAUSE.toNanos(), () -> swap(election, expected, next));
                }
            });
            return first;
        }
    }

    private static final class LeavesAThread extends Forwarding {
        private LeavesAThread(Coordinator honest) {
            super(honest);
            CountDownLatch never = new CountDownLatch(1);
            Thread left = new Thread(
                    () -> {
                        try {
                            never.await();
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    },
                    "left-behind");
            left.setDaemon(true);
            left.start();
        }
    }

    private static final class ClosesOnce extends Forwarding {
        private boolean closed;

        private ClosesOnce(Coordinator honest) {
            super(honest);
        }

        @Override
        public void close() {
            if (closed) {
                throw new IllegalStateException("closed already");
            }
            closed = true;
            honest.close();
        }
    }

    private static final class NeverForgets extends Forwarding {
        private final Map<ElectionName, Map<Object, Enlisted>> all;

        private NeverForgets(Coordinator honest, Map<ElectionName, Map<Object, Enlisted>> all) {
            super(honest);
            this.all = all;
        }

        @Override
        public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
            all.computeIfAbsent(election, name -> new LinkedHashMap<>())
                    .put(candidate.candidate().id(), candidate);
            return honest.enlist(election, candidate);
        }

        @Override
        public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
            return honest.candidates(elections).thenApply(lists -> {
                Map<ElectionName, List<Enlisted>> told = new LinkedHashMap<>();
                elections.forEach(name -> told.put(
                        name, List.copyOf(all.getOrDefault(name, Map.of()).values())));
                return told;
            });
        }
    }
}
