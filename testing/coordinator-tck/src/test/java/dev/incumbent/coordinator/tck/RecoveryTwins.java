package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.Timeline;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Twins that tell their trouble, and do not get over it. */
final class RecoveryTwins {
    private RecoveryTwins() {}

    static Stream<Twin> all() {
        return Stream.concat(watches(), rooms());
    }

    private static Stream<Twin> watches() {
        return Stream.of(
                Twin.of(
                        "a watch gets over one cut, and not over the next",
                        () -> (honest, time) -> watching(honest, GetsOverOne::new),
                        "Recoveries.afterEachOfSeveralCutsAWatchHearsTheNextChange"),
                Twin.of(
                        "a watch that was cut off proves nothing any more",
                        () -> (honest, time) -> watching(honest, ProvesUntilAGap::new),
                        "Recoveries.afterEachOfSeveralCutsAWatchProvesItsCurrencyAgain"),
                Twin.of(
                        "what was missed is told after the proof that nothing was",
                        () -> (honest, time) -> watching(honest, ProvesBeforeItTells::new),
                        "Recoveries.noProofComesBeforeTheChangeThatACutWatchHasMissed",
                        "Recoveries.noProofAfterARestoreIsOfTheStateBeforeIt"),
                Twin.of(
                        "a watch is deaf after a restore",
                        () -> (honest, time) -> watching(honest, DeafOnceItWentBack::new),
                        "Recoveries.afterARestoreAWatchHearsTheNextChange"),
                Twin.of(
                        "a restore is told with each proof that follows it",
                        () -> (honest, time) -> watching(honest, TellsItsGapAgain::new),
                        "Recoveries.aRestoreIsNotToldAgainAndAgain"),
                Twin.of(
                        "a gap is told with each change",
                        () -> (honest, time) -> watching(honest, GapAtEachChange::new),
                        "Watches.changesAreToldWithoutAGap"),
                Twin.of(
                        "what asked for a watch before a gap asks on beside what took its place",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public Watch watch(ElectionName election, Watcher watcher) {
                                return honest.watch(election, new AsksOnAfterAGap(watcher, honest, time));
                            }
                        },
                        "Recoveries.afterManyCutsAWatchAsksItsStoreNoMoreOftenThanBefore"),
                Twin.of(
                        "a watch that cannot begin is given up",
                        () -> (honest, time) -> new Forwarding(honest) {
                            @Override
                            public Watch watch(ElectionName election, Watcher watcher) {
                                return answerNow(honest.elections("").thenApply(Optional::of), Optional.empty())
                                                .isPresent()
                                        ? honest.watch(election, watcher)
                                        : () -> {};
                            }
                        },
                        "Recoveries.aWatchOpenedWhileCutOffTellsThePresentStateOnceHealed"));
    }

    private static Stream<Twin> rooms() {
        return Stream.of(
                Twin.of(
                        "a call that fails keeps its place",
                        () -> (honest, time) -> new KeepsThePlaceOfAFailedRead(honest),
                        "Recoveries.callsThatFailedLeaveTheirRoomToOthers"),
                Twin.of(
                        "a watch that was closed before it began keeps its place",
                        () -> (honest, time) -> new KeepsThePlaceOfAWatch(honest),
                        "Recoveries.watchesClosedWhileCutOffLeaveTheirRoomToOthers"));
    }

    private static Coordinator watching(Coordinator honest, UnaryOperator<Watcher> lie) {
        return new Forwarding(honest) {
            @Override
            public Watch watch(ElectionName election, Watcher watcher) {
                return honest.watch(election, lie.apply(watcher));
            }
        };
    }

    private static final class GetsOverOne extends Forwarding.ForwardingWatcher {
        private int gaps;

        private GetsOverOne(Watcher real) {
            super(real);
        }

        @Override
        public void gap() {
            gaps++;
            real.gap();
        }

        @Override
        public void changed(ObservedRecord record) {
            if (gaps < 2) {
                real.changed(record);
            }
        }
    }

    private static final class ProvesUntilAGap extends Forwarding.ForwardingWatcher {
        private boolean wasCut;

        private ProvesUntilAGap(Watcher real) {
            super(real);
        }

        @Override
        public void gap() {
            wasCut = true;
            real.gap();
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            if (!wasCut) {
                real.currentAsOf(sentAtNanos);
            }
        }
    }

    /** Keeps the first state after a gap back until the next proof was told. */
    private static final class ProvesBeforeItTells extends Forwarding.ForwardingWatcher {
        private boolean wasCut;
        private Optional<ObservedRecord> late = Optional.empty();

        private ProvesBeforeItTells(Watcher real) {
            super(real);
        }

        @Override
        public void gap() {
            wasCut = true;
            real.gap();
        }

        @Override
        public void changed(ObservedRecord record) {
            if (wasCut) {
                late = Optional.of(record);
            } else {
                real.changed(record);
            }
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            real.currentAsOf(sentAtNanos);
            late.ifPresent(real::changed);
            late = Optional.empty();
            wasCut = false;
        }
    }

    /** Tells nothing below the highest term, although the store went back and counts on from there. */
    private static final class DeafOnceItWentBack extends Forwarding.ForwardingWatcher {
        private long highest;
        private boolean isDeaf;

        private DeafOnceItWentBack(Watcher real) {
            super(real);
        }

        @Override
        public void changed(ObservedRecord record) {
            long term = record.record().term();
            isDeaf |= term < highest;
            highest = Math.max(highest, term);
            if (!isDeaf) {
                real.changed(record);
            }
        }
    }

    private static final class TellsItsGapAgain extends Forwarding.ForwardingWatcher {
        private boolean wasCut;

        private TellsItsGapAgain(Watcher real) {
            super(real);
        }

        @Override
        public void gap() {
            wasCut = true;
            real.gap();
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            if (wasCut) {
                real.gap();
            }
            real.currentAsOf(sentAtNanos);
        }
    }

    /** As often as a store with a request timeout of 250 ms may be asked. */
    private static final class AsksOnAfterAGap extends Forwarding.ForwardingWatcher {
        private static final long BETWEEN_NANOS = 100_000_000;

        private final Coordinator honest;
        private final Timeline time;

        private AsksOnAfterAGap(Watcher real, Coordinator honest, Timeline time) {
            super(real);
            this.honest = honest;
            this.time = time;
        }

        @Override
        public void gap() {
            askOn();
            real.gap();
        }

        private void askOn() {
            var asked = honest.elections("");
            Timeline.Alarm next = time.at(time.nanos() + BETWEEN_NANOS, this::askOn);
            assert asked != null && next != null;
        }
    }

    private static final class GapAtEachChange extends Forwarding.ForwardingWatcher {
        private GapAtEachChange(Watcher real) {
            super(real);
        }

        @Override
        public void changed(ObservedRecord record) {
            if (!record.equals(ObservedRecord.ABSENT)) {
                real.gap();
            }
            real.changed(record);
        }
    }

    private static final class KeepsThePlaceOfAFailedRead extends Forwarding {
        private static final int PLACES = 50;

        private int taken;

        private KeepsThePlaceOfAFailedRead(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            if (taken >= PLACES) {
                return CompletableFuture.failedStage(new CoordinatorException("too many calls are under way", false));
            }
            taken++;
            return honest.read(elections).thenApply(readings -> {
                taken--;
                return readings;
            });
        }
    }

    private static final class KeepsThePlaceOfAWatch extends Forwarding {
        private static final int PLACES = 50;

        private int taken;

        private KeepsThePlaceOfAWatch(Coordinator honest) {
            super(honest);
        }

        @Override
        public Watch watch(ElectionName election, Watcher watcher) {
            if (taken >= PLACES) {
                return () -> {};
            }
            taken++;
            boolean[] begun = {false};
            Watch watch = honest.watch(election, new ForwardingWatcher(watcher) {
                @Override
                public void changed(ObservedRecord record) {
                    begun[0] = true;
                    real.changed(record);
                }
            });
            return () -> {
                watch.close();
                taken -= begun[0] ? 1 : 0;
            };
        }
    }
}
