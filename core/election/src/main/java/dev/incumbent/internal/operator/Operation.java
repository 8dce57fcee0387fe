package dev.incumbent.internal.operator;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Revision;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Progress;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;
import dev.incumbent.protocol.operator.OperatorDriver;
import dev.incumbent.protocol.operator.OperatorEffect;
import dev.incumbent.protocol.operator.OperatorEvent;
import dev.incumbent.protocol.operator.OperatorProtocol;
import dev.incumbent.protocol.operator.OperatorState;
import dev.incumbent.time.Timeline;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * One operation of an operator under way.
 *
 * <p>Has no thread: events are taken one at a time, in whichever thread brings one while no other takes them; nothing in a step blocks. It is run once.
 */
public final class Operation implements OperatorDriver {
    private final Coordinator coordinator;
    private final Timeline timeline;
    private final ElectionName election;
    private final List<Sink> sinks;
    private final Consumer<Progress> listener;
    private final OperatorProtocol protocol = new OperatorProtocol();
    private final CompletableFuture<OperatorOutcome> result = new CompletableFuture<>();
    private final Queue<OperatorEvent> inbox = new ConcurrentLinkedQueue<>();
    private final AtomicInteger untaken = new AtomicInteger();
    // Touched only by the thread that takes events; the counter above hands them on.
    private OperatorState state;
    private Timeline.Alarm alarm = () -> {};
    private Optional<Watch> watch = Optional.empty();

    /** An operation that starts in that state; its sinks are given in the order of the labels that the state was made with. */
    public Operation(Place place, List<Sink> sinks, OperatorState state, Consumer<Progress> listener) {
        this.coordinator = place.coordinator();
        this.timeline = place.timeline();
        this.election = place.election();
        this.sinks = List.copyOf(sinks);
        this.state = state;
        this.listener = listener;
    }

    /** Where an operation takes place. */
    public record Place(Coordinator coordinator, Timeline timeline, ElectionName election) {}

    /**
     * Starts it. Ends in how it ended, or in a {@link CoordinatorException} that says whether it may have applied; in a thread of the coordinator, a sink or
     * the timeline, so who waits for it hands over at once.
     */
    public CompletionStage<OperatorOutcome> run() {
        tell(new OperatorEvent.Begun());
        return result;
    }

    private void tell(OperatorEvent event) {
        inbox.add(event);
        if (untaken.getAndIncrement() > 0) {
            return;
        }
        do {
            OperatorEvent next = inbox.poll();
            if (next != null && !result.isDone()) {
                take(next);
            }
        } while (untaken.decrementAndGet() > 0);
    }

    private void take(OperatorEvent event) {
        try {
            Moment now = new Moment(timeline.nanos(), timeline.wallMillis());
            Step<OperatorState, OperatorEffect> step = protocol.step(state, event, now);
            state = step.state();
            wakeAt(step.wakeAtNanos());
            step.effects().forEach(effect -> effect.performBy(this));
        } catch (RuntimeException | Error failure) {
            end();
            result.completeExceptionally(failure);
        }
    }

    /** The call's stage, also where the call itself throws, or is answered by nothing: users write sinks and coordinators, and what one of them throws ends no operation. */
    private static <T> CompletionStage<T> called(Supplier<CompletionStage<T>> call) {
        try {
            return call.get().thenApply(answer -> Objects.requireNonNull(answer, "it answered with nothing"));
        } catch (RuntimeException | Error failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private void wakeAt(long nanos) {
        alarm.cancel();
        alarm = nanos == Step.NEVER ? () -> {} : timeline.at(nanos, () -> tell(new OperatorEvent.TimePassed()));
    }

    private void end() {
        alarm.cancel();
        watch.ifPresent(Watch::close);
    }

    @Override
    public void readRecord(String question) {
        called(() -> coordinator.read(Set.of(election)))
                .handle((readings, failure) -> failure == null
                        ? Heard.reading(question, Optional.ofNullable(readings.get(election)))
                        : Heard.failedRead(question, failure))
                .thenAccept(this::tell);
    }

    @Override
    public void readCandidates(String question) {
        called(() -> coordinator.candidates(Set.of(election)))
                .handle((candidates, failure) -> failure == null
                        ? new OperatorEvent.CandidatesRead(question, candidates.getOrDefault(election, List.of()))
                        : Heard.failedRead(question, failure))
                .thenAccept(this::tell);
    }

    /** A watch only hastens what the reads tell: without one, the operation goes on by these. */
    @Override
    public void watchRecord() {
        try {
            watch = Optional.of(coordinator.watch(election, new Hints(this::tell)));
        } catch (RuntimeException | Error unwatched) {
            watch = Optional.empty();
        }
    }

    @Override
    public void swapRecord(Revision expected, LeaderRecord next) {
        called(() -> coordinator.swap(election, expected, next))
                .handle((swap, failure) ->
                        failure == null ? Heard.swapped(next.nonce(), swap) : Heard.failedSwap(next.nonce(), failure))
                .thenAccept(this::tell);
    }

    @Override
    public void readMark(int sink) {
        Sink asked = sinks.get(sink);
        called(asked::id)
                .thenCombine(called(() -> asked.marks(Set.of(election))), (id, marks) ->
                        (OperatorEvent) new OperatorEvent.MarkRead(sink, id, marks.of(election)))
                .exceptionally(failure -> new OperatorEvent.MarkUnread(sink, Heard.why(failure)))
                .thenAccept(this::tell);
    }

    @Override
    public void raiseMark(int sink, Mark mark) {
        called(() -> sinks.get(sink).raise(election, mark))
                .handle((raise, failure) -> failure == null
                        ? Heard.raised(sink, mark, raise)
                        : new OperatorEvent.RaiseUncertain(sink, mark, Heard.why(failure)))
                .thenAccept(this::tell);
    }

    @Override
    public void tell(Progress progress) {
        listener.accept(progress);
    }

    @Override
    public void conclude(OperatorOutcome outcome) {
        end();
        if (outcome instanceof OperatorOutcome.Failed failed) {
            result.completeExceptionally(
                    failed.unusable() && !failed.mayHaveApplied()
                            ? new CoordinatorUnusableException(failed.why())
                            : new CoordinatorException(failed.why(), failed.mayHaveApplied()));
        } else {
            result.complete(outcome);
        }
    }
}
