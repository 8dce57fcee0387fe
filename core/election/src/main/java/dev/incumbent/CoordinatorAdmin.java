package dev.incumbent;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.fence.Sink;
import dev.incumbent.internal.Serial;
import dev.incumbent.internal.operator.Operation;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.HolderConfirmation;
import dev.incumbent.outcome.Progress;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.outcome.Retirement;
import dev.incumbent.outcome.Thaw;
import dev.incumbent.outcome.TransferPlan;
import dev.incumbent.protocol.operator.OperatorProtocol;
import dev.incumbent.protocol.operator.OperatorState;
import dev.incumbent.time.Timeline;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;

/** The operator of one election over its coordinator. */
final class CoordinatorAdmin implements ElectionAdmin {
    private static final int RANDOM_BYTES = 8;

    private final SecureRandom random = new SecureRandom();
    private final Operation.Place place;
    private final String who;
    private final Consumer<Progress> listener;

    CoordinatorAdmin(
            Coordinator coordinator,
            Timeline timeline,
            ElectionName election,
            String who,
            Consumer<Progress> listener) {
        this(new Operation.Place(coordinator, timeline, election), who, listener);
    }

    private CoordinatorAdmin(Operation.Place place, String who, Consumer<Progress> listener) {
        this.place = place;
        this.who = who;
        this.listener = listener;
    }

    @Override
    public ElectionAdmin reporting(Consumer<Progress> hearer) {
        return new CoordinatorAdmin(place, who, hearer);
    }

    @Override
    public CompletionStage<ElectionStatus> status() {
        Set<ElectionName> asked = Set.of(place.election());
        return place.coordinator()
                .read(asked)
                .thenApply(this::observed)
                .thenCombine(
                        place.coordinator().candidates(asked),
                        (observed, candidates) -> new ElectionStatus(
                                place.election(), observed, candidates.getOrDefault(place.election(), List.of())));
    }

    @Override
    public CompletionStage<List<PastTerm>> history() {
        return place.coordinator()
                .read(Set.of(place.election()))
                .thenApply(readings -> observed(readings).record().history());
    }

    private ObservedRecord observed(Map<ElectionName, Reading> readings) {
        Reading reading = readings.get(place.election());
        if (reading instanceof Reading.Found found) {
            return found.record();
        }
        if (reading instanceof Reading.Foreign foreign) {
            throw new CoordinatorUnusableException(
                    "the record of " + place.election() + " cannot be understood: " + foreign.why());
        }
        if (reading instanceof Reading.Unread unread) {
            throw new CoordinatorException(
                    "the record of " + place.election() + " could not be read: " + unread.why(), false);
        }
        return ObservedRecord.ABSENT;
    }

    @Override
    public CompletionStage<RequestedTransfer> transferTo(String successor, Duration timeout) {
        return run(List.of(), OperatorProtocol.transferTo(unique(), successor, timeout), RequestedTransfer.class);
    }

    @Override
    public CompletionStage<TransferPlan> planTransfer(String successor, Instant notBefore) {
        return run(List.of(), OperatorProtocol.planTransfer(unique(), successor, notBefore), TransferPlan.class);
    }

    @Override
    public CompletionStage<TransferPlan> cancelTransfer() {
        return run(List.of(), OperatorProtocol.cancelTransfer(unique()), TransferPlan.class);
    }

    @Override
    public CompletionStage<Resignation> resign(Duration timeout) {
        return run(List.of(), OperatorProtocol.resign(unique(), timeout), Resignation.class);
    }

    @Override
    public CompletionStage<Freezing> freeze(String why, List<Sink> sinks, Until until) {
        return run(
                sinks,
                OperatorProtocol.freeze(unique(), why, labels(sinks), RAISE_BOUND, until == Until.QUIET),
                Freezing.class);
    }

    @Override
    public CompletionStage<Thaw> thaw(List<Sink> sinks) {
        return run(sinks, OperatorProtocol.thaw(unique(), labels(sinks), RAISE_BOUND), Thaw.class);
    }

    @Override
    public CompletionStage<Cordoning> cordon(String whom, String why) {
        return run(List.of(), OperatorProtocol.cordon(unique(), whom, why), Cordoning.class);
    }

    @Override
    public CompletionStage<Cordoning> uncordon(String whom) {
        return run(List.of(), OperatorProtocol.uncordon(unique(), whom), Cordoning.class);
    }

    @Override
    public CompletionStage<HolderConfirmation> confirmHolder(String node, long term, String why) {
        return run(List.of(), OperatorProtocol.confirm(unique(), node, term, why), HolderConfirmation.class);
    }

    @Override
    public CompletionStage<Retirement> retireSink(SinkId sink) {
        return run(List.of(), OperatorProtocol.retireSink(unique(), sink), Retirement.class);
    }

    @Override
    public CompletionStage<Retirement> reinstateSink(SinkId sink) {
        return run(List.of(), OperatorProtocol.reinstateSink(unique(), sink), Retirement.class);
    }

    private <T> CompletionStage<T> run(List<Sink> sinks, OperatorState state, Class<T> outcome) {
        Serial userCode = new Serial(ForkJoinPool.commonPool(), Trace.NONE, "an operation");
        CompletableFuture<T> ended = new CompletableFuture<>();
        Consumer<Progress> reports = progress -> userCode.execute(() -> listener.accept(progress));
        new Operation(place, sinks, state, reports)
                .run()
                .whenComplete((result, failure) -> userCode.execute(() -> {
                    if (failure == null) {
                        ended.complete(outcome.cast(result));
                    } else {
                        ended.completeExceptionally(failure);
                    }
                }));
        return ended.minimalCompletionStage();
    }

    private static List<String> labels(List<Sink> sinks) {
        return sinks.stream().map(CoordinatorAdmin::label).toList();
    }

    /** A sink whose label throws is frozen all the same. */
    private static String label(Sink sink) {
        try {
            return sink.label();
        } catch (RuntimeException | Error untold) {
            return "a sink without a label (" + sink.getClass().getName() + ")";
        }
    }

    /** Who does this one operation, and no other. */
    private String unique() {
        byte[] drawn = new byte[RANDOM_BYTES];
        random.nextBytes(drawn);
        return who + "-" + HexFormat.of().formatHex(drawn);
    }
}
