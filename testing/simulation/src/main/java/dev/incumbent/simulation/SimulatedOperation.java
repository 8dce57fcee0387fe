package dev.incumbent.simulation;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.fence.Raise;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One operation under way: drives the shipped operator's machine over the operator's links. */
final class SimulatedOperation implements OperatorDriver {
    private static final OperatorProtocol PROTOCOL = new OperatorProtocol();
    private final World world;
    private final SimulatedOperator operator;
    private final ElectionName election;
    private final Coordinator coordinator;
    private final Consumer<OperatorOutcome> then;
    private final Queue<OperatorEvent> posted = new ArrayDeque<>();
    private OperatorState state;
    private Optional<Timeline.Alarm> alarm = Optional.empty();
    private boolean running;
    private boolean over;

    SimulatedOperation(
            World world,
            SimulatedOperator operator,
            ElectionName election,
            OperatorState start,
            Consumer<OperatorOutcome> then) {
        this.world = world;
        this.operator = operator;
        this.election = election;
        this.coordinator = operator.connected();
        this.state = start;
        this.then = then;
    }

    void begin() {
        post(new OperatorEvent.Begun());
    }

    private void post(OperatorEvent event) {
        posted.add(event);
        if (running) {
            return;
        }
        running = true;
        try {
            while (!over && !posted.isEmpty()) {
                attempt(posted.remove());
            }
        } finally {
            running = false;
        }
    }

    private void attempt(OperatorEvent event) {
        try {
            step(event);
        } catch (RuntimeException thrown) {
            world.violated("NoMachineThrows", event + " made the operator's throw " + thrown);
        }
    }

    private void step(OperatorEvent event) {
        DriftingClock clock = operator.clock();
        Moment moment = new Moment(clock.nanos(), clock.wallMillis());
        Step<OperatorState, OperatorEffect> step = PROTOCOL.step(state, event, moment);
        state = step.state();
        world.trace(() -> election + " operator " + event + " -> " + step.effects());
        step.effects().forEach(effect -> effect.performBy(this));
        alarm.ifPresent(Timeline.Alarm::cancel);
        alarm = over || step.wakeAtNanos() == Step.NEVER
                ? Optional.empty()
                : Optional.of(clock.at(step.wakeAtNanos(), () -> post(new OperatorEvent.TimePassed())));
    }

    @Override
    public void readRecord(String question) {
        coordinator
                .read(Set.of(election))
                .whenComplete((readings, failure) -> post(
                        failure == null
                                ? new OperatorEvent.RecordRead(question, observed(readings))
                                : new OperatorEvent.Unanswered(question, "no answer")));
    }

    private ObservedRecord observed(Map<ElectionName, Reading> readings) {
        return readings.get(election) instanceof Reading.Found found ? found.record() : ObservedRecord.ABSENT;
    }

    @Override
    public void readCandidates(String question) {
        coordinator
                .candidates(Set.of(election))
                .whenComplete((lists, failure) -> post(
                        failure == null
                                ? new OperatorEvent.CandidatesRead(question, lists.getOrDefault(election, List.of()))
                                : new OperatorEvent.Unanswered(question, "no answer")));
    }

    @Override
    public void watchRecord() {
        coordinator.watch(election, new Watcher() {
            @Override
            public void changed(ObservedRecord record) {
                post(new OperatorEvent.RecordWatched(record));
            }

            @Override
            public void gap() {
                post(new OperatorEvent.WatchBroken());
            }

            @Override
            public void currentAsOf(long sentAtNanos) {}
        });
    }

    @Override
    public void swapRecord(Revision expected, LeaderRecord next) {
        coordinator
                .swap(election, expected, next)
                .whenComplete((swap, failure) ->
                        post(failure == null ? answer(next.nonce(), swap) : failed(next.nonce(), failure)));
    }

    private static OperatorEvent answer(String question, Swap swap) {
        return swap instanceof Swap.Accepted
                ? new OperatorEvent.SwapAccepted(question)
                : new OperatorEvent.SwapRefused(question);
    }

    private static OperatorEvent failed(String question, Throwable failure) {
        boolean sure = !Failures.mayHaveApplied(failure);
        return sure
                ? new OperatorEvent.Unanswered(question, "no answer")
                : new OperatorEvent.SwapUncertain(question, "no answer");
    }

    @Override
    public void readMark(int index) {
        SinkModel sink = world.sinks().get(index);
        ask(
                () -> sink.mark(election),
                mark -> post(new OperatorEvent.MarkRead(index, sink.id(), mark)),
                () -> post(new OperatorEvent.MarkUnread(index, "no answer")));
    }

    @Override
    public void raiseMark(int index, Mark mark) {
        SinkModel sink = world.sinks().get(index);
        boolean skipped =
                mark.owner() instanceof MarkOwner.OfThaw && world.canary().skipsTheRaisesOfThaws();
        ask(
                () -> skipped ? new Raise.Raised(mark) : sink.raise(election, mark),
                raise -> post(answer(index, mark, raise)),
                () -> post(new OperatorEvent.RaiseUncertain(index, mark, "no answer")));
    }

    private static OperatorEvent answer(int index, Mark asked, Raise raise) {
        if (raise instanceof Raise.Raised raised) {
            return new OperatorEvent.MarkRaised(index, raised.inForce());
        }
        return raise instanceof Raise.Refused refused
                ? new OperatorEvent.RaiseRefused(index, asked, refused.inForce())
                : new OperatorEvent.RaiseTooFar(index, asked, ((Raise.TooFar) raise).from());
    }

    private <T> void ask(Supplier<T> atTheSink, Consumer<T> answered, Runnable silent) {
        List<Boolean> settled = new ArrayList<>();
        operator.out().carry(() -> {
            T answer = atTheSink.get();
            operator.back().carry(() -> settle(settled, () -> answered.accept(answer)));
        });
        long bound = world.timing().lease().toNanos() / 3;
        operator.clock().at(operator.clock().nanos() + bound, () -> settle(settled, silent));
    }

    private static void settle(List<Boolean> settled, Runnable how) {
        if (settled.isEmpty()) {
            settled.add(true);
            how.run();
        }
    }

    @Override
    public void tell(Progress progress) {
        if (progress instanceof Progress.SinkRaised raised
                && raised.mark().owner() instanceof MarkOwner.OfFreeze
                && world.canary().takesClosedForQuiet()) {
            world.inspectors().quiet(election);
        }
    }

    @Override
    public void conclude(OperatorOutcome outcome) {
        over = true;
        coordinator.close();
        world.agenda().in(0, () -> then.accept(outcome));
    }
}
