package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Twins that lie in what their watches tell. */
final class WatchTwins {
    private WatchTwins() {}

    static Stream<Twin> all() {
        return Stream.concat(losing(), telling());
    }

    private static Stream<Twin> losing() {
        return Stream.of(
                Twin.of(
                        "a watch ends in silence",
                        watching(EndsInSilence::new),
                        "Watches.aWatchThatIsCutOffTellsAGap",
                        "Watches.whatHappenedWhileAWatchWasCutOffIsToldOrIsAGap"),
                Twin.of(
                        "a watch loses what happened while it was cut off",
                        watching(LosesWhatItMissed::new),
                        "Watches.whatHappenedWhileAWatchWasCutOffIsToldOrIsAGap"),
                Twin.of(
                        "a watch goes back after a restore",
                        watching(TellsNoGap::new),
                        "Watches.aRestoredStoreIsToldAsAGapBeforeAnythingOlder"),
                Twin.of(
                        "a watch goes back",
                        watching(GoesBack::new),
                        "Watches.aWatchNeverGoesBackAndEndsAtTheLastState"),
                Twin.of(
                        "a watch does not tell the present state first",
                        watching(NoFirstCall::new),
                        "Watches.aWatchFirstTellsThePresentState",
                        "Watches.aWatchOfAnElectionThatWasNeverWrittenTellsThat"));
    }

    private static Stream<Twin> telling() {
        return Stream.of(
                Twin.of(
                        "a watch tells of what lies beneath its election, too",
                        () -> (honest, time) -> new WatchesBeneath(honest),
                        "Watches.aWatchTellsOfItsOwnElectionAlone"),
                Twin.of(
                        "a lease's death is not told",
                        watching(real -> new Forwarding.ForwardingWatcher(real) {
                            @Override
                            public void changed(ObservedRecord record) {
                                if (record.record().leader().isEmpty() || record.leaseAlive()) {
                                    real.changed(record);
                                }
                            }
                        }),
                        "Watches.theDeathOfALeaseIsToldWithoutAnybodysAsking",
                        "Watches.theRevokingOfALeaseIsTold"),
                Twin.of(
                        "a watcher that throws is told nothing more",
                        watching(EndsByWhatIsThrown::new),
                        "Watches.aWatcherThatThrowsIsNotToldLessAndDisturbsNobody"),
                Twin.of(
                        "what cannot be read is passed over",
                        watching(TellsNoGap::new),
                        "Watches.anUnreadableRecordIsToldAsAGap"),
                Twin.of(
                        "currency is proved by the client's own clock",
                        watchingIn(ProvesByItsClock::new),
                        "Watches.aProofOfCurrencyIsNoYoungerThanTheCutAndGrowsWithoutOne"),
                Twin.of(
                        "a closed watch goes on",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public Watch watch(ElectionName election, Watcher watcher) {
                                assertThat(honest.watch(election, watcher)).isNotNull();
                                return () -> {};
                            }
                        },
                        "Watches.aClosedWatchTellsNothingMore"),
                Twin.of(
                        "closing a client leaves its watches",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public void close() {}
                        },
                        "Closing.aClosedClientsWatchesTellNothingMore",
                        "Closing.aCallOnAClosedClientEndsAndWasNotApplied"));
    }

    private static Supplier<MemoryRig.Dress> watching(UnaryOperator<Watcher> lie) {
        return watchingIn((real, time) -> lie.apply(real));
    }

    private static Supplier<MemoryRig.Dress> watchingIn(BiFunction<Watcher, VirtualTimeline, Watcher> lie) {
        return () -> (honest, time) -> new Watching(honest, watcher -> lie.apply(watcher, time));
    }

    private static final class Watching extends Forwarding {
        private final UnaryOperator<Watcher> lie;

        private Watching(Coordinator honest, UnaryOperator<Watcher> lie) {
            super(honest);
            this.lie = lie;
        }

        @Override
        public Watch watch(ElectionName election, Watcher watcher) {
            return honest.watch(election, lie.apply(watcher));
        }
    }

    private static final class WatchesBeneath extends Forwarding {
        private WatchesBeneath(Coordinator honest) {
            super(honest);
        }

        @Override
        public Watch watch(ElectionName election, Watcher watcher) {
            ElectionName beneath = new ElectionName(election.value() + "/beneath");
            Watch more = honest.watch(beneath, new Forwarding.ForwardingWatcher(watcher) {
                @Override
                public void changed(ObservedRecord record) {
                    if (!record.equals(ObservedRecord.ABSENT)) {
                        real.changed(record);
                    }
                }

                @Override
                public void gap() {}

                @Override
                public void currentAsOf(long sentAtNanos) {}
            });
            Watch own = honest.watch(election, watcher);
            return () -> {
                own.close();
                more.close();
            };
        }
    }

    private static final class TellsNoGap extends Forwarding.ForwardingWatcher {
        private TellsNoGap(Watcher real) {
            super(real);
        }

        @Override
        public void gap() {}
    }

    private static final class EndsInSilence extends Forwarding.ForwardingWatcher {
        private boolean ended;

        private EndsInSilence(Watcher real) {
            super(real);
        }

        @Override
        public void gap() {
            ended = true;
        }

        @Override
        public void changed(ObservedRecord record) {
            if (!ended) {
                real.changed(record);
            }
        }
    }

    /** Passes over the first state that it hears after a cut. */
    private static final class LosesWhatItMissed extends Forwarding.ForwardingWatcher {
        private boolean wasCut;

        private LosesWhatItMissed(Watcher real) {
            super(real);
        }

        @Override
        public void gap() {
            wasCut = true;
            real.gap();
        }

        @Override
        public void changed(ObservedRecord record) {
            if (!wasCut) {
                real.changed(record);
            }
            wasCut = false;
        }
    }

    /** Tells each state once more after the next one. */
    private static final class GoesBack extends Forwarding.ForwardingWatcher {
        private final List<ObservedRecord> before = new ArrayList<>();

        private GoesBack(Watcher real) {
            super(real);
        }

        @Override
        public void changed(ObservedRecord record) {
            real.changed(record);
            before.forEach(real::changed);
            real.changed(record);
            before.add(record);
        }
    }

    private static final class EndsByWhatIsThrown extends Forwarding.ForwardingWatcher {
        private boolean ended;

        private EndsByWhatIsThrown(Watcher real) {
            super(real);
        }

        @Override
        public void changed(ObservedRecord record) {
            if (!ended) {
                ended = true;
                real.changed(record);
                ended = false;
            }
        }
    }

    private static final class NoFirstCall extends Forwarding.ForwardingWatcher {
        private boolean begun;

        private NoFirstCall(Watcher real) {
            super(real);
        }

        @Override
        public void changed(ObservedRecord record) {
            if (begun) {
                real.changed(record);
            }
            begun = true;
        }
    }

    private static final class ProvesByItsClock extends Forwarding.ForwardingWatcher {
        private final VirtualTimeline time;

        private ProvesByItsClock(Watcher real, VirtualTimeline time) {
            super(real);
            this.time = time;
            prove();
        }

        private void prove() {
            real.currentAsOf(time.nanos());
            time.at(time.nanos() + Duration.ofMillis(100).toNanos(), this::prove);
        }
    }
}
