package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.VirtualTimeline;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Twins that lie about when what they tell was true. */
final class DateTwins {
    private DateTwins() {}

    static Stream<Twin> all() {
        return Stream.concat(answers(), proofs());
    }

    private static Stream<Twin> answers() {
        return Stream.of(Twin.of(
                "whoever asks while a question is under way has its answer",
                () -> (honest, time) -> new SharesAnswers(honest),
                "Dates.aReadIsNotAnsweredByAnEarlierOnesAnswer",
                "Dates.aListOfCandidatesIsNotAnEarlierOnes",
                "Dates.aKeepAliveIsNotAnsweredBeforeItsOwnRequestReachedTheStore"));
    }

    private static Stream<Twin> proofs() {
        return Stream.of(
                Twin.of(
                        "a proof is dated at its answer",
                        watching((real, time) -> new Forwarding.ForwardingWatcher(real) {
                            @Override
                            public void currentAsOf(long sentAtNanos) {
                                real.currentAsOf(time.nanos());
                            }
                        }),
                        "Dates.aProofIsNoYoungerThanWhatWasTold"),
                Twin.of(
                        "a proof is told before the change that came with it",
                        watching((real, time) -> new ProvesFirst(real)),
                        "Dates.aProofIsNoYoungerThanWhatWasTold"));
    }

    private static Supplier<MemoryRig.Dress> watching(BiFunction<Watcher, VirtualTimeline, Watcher> lie) {
        return () -> (honest, time) -> new Forwarding(honest) {
            @Override
            public Watch watch(ElectionName election, Watcher watcher) {
                return honest.watch(election, lie.apply(watcher, time));
            }
        };
    }

    /** Keeps a change back until the proof that comes next was told. */
    private static final class ProvesFirst extends Forwarding.ForwardingWatcher {
        private Optional<ObservedRecord> kept = Optional.empty();

        private ProvesFirst(Watcher real) {
            super(real);
        }

        @Override
        public void changed(ObservedRecord record) {
            kept = Optional.of(record);
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            real.currentAsOf(sentAtNanos);
            kept.ifPresent(real::changed);
        }
    }

    /** Asks nothing while a question of the same kind is under way. */
    private static final class SharesAnswers extends Forwarding {
        private final Shared<Map<ElectionName, Reading>> reads = new Shared<>();
        private final Shared<Map<ElectionName, List<Enlisted>>> lists = new Shared<>();
        private final Shared<Void> keepAlives = new Shared<>();

        private SharesAnswers(Coordinator honest) {
            super(honest);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
            return reads.ask(() -> honest.read(elections));
        }

        @Override
        public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
            return lists.ask(() -> honest.candidates(elections));
        }

        @Override
        public CompletionStage<Void> keepAlive(LeaseId lease) {
            return keepAlives.ask(() -> honest.keepAlive(lease));
        }
    }

    private static final class Shared<T> {
        private Optional<CompletionStage<T>> underWay = Optional.empty();

        CompletionStage<T> ask(Supplier<CompletionStage<T>> question) {
            boolean isUnderWay =
                    underWay.filter(it -> !it.toCompletableFuture().isDone()).isPresent();
            CompletionStage<T> answer = isUnderWay ? underWay.orElseThrow() : question.get();
            underWay = Optional.of(answer);
            return answer;
        }
    }
}
