package dev.incumbent.simulation;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.fence.Raise;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.Driver;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Notice;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.Step;
import dev.incumbent.time.Timeline;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One incarnation of one process in one election: drives the shipped machine as the library's driver does, over failing links. */
final class Player implements Driver {
    private static final long NEVER = Long.MIN_VALUE;

    private final World world;
    private final Node node;
    private final Setup setup;
    private final Machine machine;
    private final Watch watch;
    private ElectionState state = ElectionState.START;
    private Optional<Timeline.Alarm> alarm = Optional.empty();
    private Optional<SimulatedTask> task = Optional.empty();
    private Optional<Event> next = Optional.empty();
    private long guardUntil = NEVER;
    private long ranOutAt = NEVER;
    private boolean over = true;

    Player(World world, Node node, Setup setup, Machine machine) {
        this.world = world;
        this.node = node;
        this.setup = setup;
        this.machine = machine;
        this.watch = node.coordinator().watch(setup.election(), new Posting());
    }

    Setup setup() {
        return setup;
    }

    ElectionState state() {
        return state;
    }

    Node node() {
        return node;
    }

    DriftingClock clock() {
        return node.clock();
    }

    long draw(long bound) {
        return world.draws().below(node.stream(Node.Stream.TASK), Math.max(1, bound));
    }

    Optional<SimulatedTask> task() {
        return task.filter(SimulatedTask::runs);
    }

    /** What the guard answers at this instant. */
    boolean guardHolds() {
        return node.isUp() && !over && clock().nanos() < guardUntil;
    }

    void post(Event event) {
        node.post(() -> attempt(event));
    }

    /** A machine that throws has violated what the design says without words. */
    private void attempt(Event event) {
        try {
            step(event);
        } catch (RuntimeException thrown) {
            world.violated("NoMachineThrows", event + " made it throw " + thrown);
        }
    }

    private void step(Event event) {
        Moment moment = new Moment(clock().nanos(), Instant.ofEpochMilli(clock().wallMillis()));
        Role before = state.role();
        boolean uncertain =
                state.attempt().filter(a -> a.uncertainAtNanos() != Step.NEVER).isPresent();
        noteRunningOut();
        Step<ElectionState, Effect> step = machine.step(state, event, moment);
        state = step.state();
        world.stepped(this, event, step);
        if (before == Role.CANDIDATE && state.role() != before && uncertain && event instanceof Event.RecordObserved) {
            world.reach(Milestone.UNCERTAIN_CLAIM_WON);
        }
        for (Effect effect : step.effects()) {
            if (node.crashesNow()) {
                return;
            }
            effect.performBy(this);
        }
        guardUntil = state.role() == Role.LEADER ? state.validUntilNanos(setup.timing()) : NEVER;
        wakeAt(step.wakeAtNanos());
        Optional<Event> settled = next;
        next = Optional.empty();
        settled.ifPresent(this::step);
    }

    private void wakeAt(long nanos) {
        alarm.ifPresent(Timeline.Alarm::cancel);
        alarm = nanos == Step.NEVER ? Optional.empty() : Optional.of(clock().at(nanos, () -> post(new Event.Woken())));
    }

    /** Has its guard come to refuse by itself, not longer ago than that in true time? */
    boolean ranOutWithin(long nanos) {
        long end = guardUntil == NEVER ? ranOutAt : clock().trueTimeOf(guardUntil);
        return end != NEVER && end <= world.now() && world.now() - end <= nanos;
    }

    private void noteRunningOut() {
        if (guardUntil != NEVER && clock().nanos() >= guardUntil) {
            ranOutAt = clock().trueTimeOf(guardUntil);
        }
    }

    void die() {
        task.ifPresent(SimulatedTask::die);
        alarm.ifPresent(Timeline.Alarm::cancel);
        over = true;
        watch.close();
    }

    @Override
    public void readRecord() {
        long sentAt = clock().nanos();
        node.coordinator()
                .read(Set.of(setup.election()))
                .whenComplete((readings, failure) ->
                        post(failure == null ? told(readings, sentAt) : new Event.RecordUnread("no answer")));
    }

    private Event told(Map<ElectionName, Reading> readings, long sentAt) {
        Reading reading = readings.get(setup.election());
        return reading instanceof Reading.Found found
                ? new Event.RecordObserved(found.record(), sentAt)
                : new Event.RecordObserved(ObservedRecord.ABSENT, sentAt);
    }

    @Override
    public void listCandidates() {
        long sentAt = clock().nanos();
        node.coordinator()
                .candidates(Set.of(setup.election()))
                .whenComplete((lists, failure) -> post(
                        failure == null
                                ? new Event.CandidatesListed(lists.getOrDefault(setup.election(), List.of()), sentAt)
                                : new Event.CandidatesUnlisted("no answer")));
    }

    @Override
    public void swapRecord(Revision expected, LeaderRecord next) {
        node.coordinator()
                .swap(setup.election(), expected, next)
                .whenComplete((swap, failure) ->
                        post(outcome(next, Optional.ofNullable(swap), Optional.ofNullable(failure))));
    }

    private Event outcome(LeaderRecord next, Optional<Swap> swap, Optional<Throwable> failure) {
        if (swap.isEmpty() || failure.isPresent()) {
            if (world.storeShows(setup.election(), next.nonce())) {
                state.attempt()
                        .filter(a -> a.kind() == Attempt.Kind.CLAIM)
                        .ifPresent(a -> world.reach(Milestone.REPLY_LOST_AFTER_CLAIM));
            }
            return failure.filter(f -> !Failures.mayHaveApplied(f)).isEmpty()
                    ? new Event.SwapUncertain(next.nonce())
                    : new Event.SwapFailed(next.nonce());
        }
        return swap.get() instanceof Swap.Accepted accepted
                ? new Event.SwapAccepted(next.nonce(), accepted.revision())
                : new Event.SwapRefused(next.nonce(), ((Swap.Refused) swap.get()).current());
    }

    @Override
    public void enlist(Enlisted candidate, boolean atEnd) {
        var coordinator = node.coordinator();
        var ready = atEnd
                ? coordinator.withdraw(setup.election(), candidate.candidate().id())
                : java.util.concurrent.CompletableFuture.<Void>completedStage(null);
        ready.thenCompose(off -> coordinator.enlist(setup.election(), candidate))
                .whenComplete((done, failure) ->
                        post(failure == null ? new Event.CandidateEnlisted() : new Event.EnlistFailed("no answer")));
    }

    @Override
    public void withdraw(CandidateId candidate) {
        node.coordinator().withdraw(setup.election(), candidate);
    }

    @Override
    public void raise(SinkId id, Mark mark) {
        SinkModel sink = world.sink(id);
        long bound = setup.timing().lease().toNanos() / 3;
        node.askSink(
                () -> sink.raise(setup.election(), mark),
                raise -> post(outcome(id, mark, raise)),
                bound,
                () -> post(new Event.MarkUnraised(id, mark, "no answer")));
    }

    private static Event outcome(SinkId sink, Mark asked, Raise raise) {
        if (raise instanceof Raise.Raised) {
            return new Event.MarkRaised(sink, asked);
        }
        return raise instanceof Raise.Refused refused
                ? new Event.MarkRefused(sink, asked, refused.inForce())
                : new Event.MarkUnraised(sink, asked, "too far");
    }

    /** The marks beside each keep-alive. */
    void readMarks() {
        if (state.role() != Role.LEADER) {
            return;
        }
        long sentAt = clock().nanos();
        for (SinkId id : setup.sinks().keySet()) {
            SinkModel sink = world.sink(id);
            node.askSink(
                    () -> sink.mark(setup.election()),
                    mark -> post(new Event.MarkRead(id, mark, sentAt)),
                    setup.timing().lease().toNanos() / 3,
                    () -> {});
        }
    }

    /** The task has asked its guard, and writes to every sink; between the two a pause may fall. */
    void write(SimulatedTask writer) {
        long gap = node.gapBeforeEffect();
        world.agenda().in(gap, () -> {
            for (SinkId id : setup.sinks().keySet()) {
                SinkModel sink = world.sink(id);
                node.toSinks().carry(() -> world.deliver(sink, writer, this));
            }
        });
    }

    @Override
    public void beginTerm(Term term, Optional<PastTerm> previous) {
        task().ifPresent(running -> world.violated(
                "CallbacksArePaired", term + " begins while the task of " + running.term() + " still runs"));
        Begun begun = world.begin(this, term);
        over = false;
        task = Optional.of(new SimulatedTask(this, term, begun, manner()));
        if (node.isStubbornForEver()) {
            task.get().neverStops();
        }
        task.get().start();
        if (node.failsItsTasks()) {
            task.get().end(Event.TaskOutcome.THREW);
        }
    }

    /** Where candidacies are asked, every other one is. */
    private SimulatedTask.Manner manner() {
        boolean stubborn = node.takesAStubbornTask();
        int place = node.index() + world.elections().indexOf(setup.election());
        if (world.profile().asked() && place % 2 == 0) {
            world.reach(Milestone.LED_WITHOUT_A_TASK);
            return SimulatedTask.Manner.ASKED;
        }
        return stubborn ? SimulatedTask.Manner.STUBBORN : SimulatedTask.Manner.GOOD;
    }

    @Override
    public void interruptTask(Term term) {
        if (task.filter(led -> !led.interrupt()).isPresent()) {
            next = Optional.of(new Event.TaskReturned(term.number(), Event.TaskOutcome.RETURNED));
        }
    }

    @Override
    public void endTerm(Term term, EndReason reason) {
        over = true;
        task.ifPresent(t -> world.end(this, t.begun(), reason));
    }

    @Override
    public void endSession() {
        node.endSession();
    }

    @Override
    public void tell(Notice notice) {
        world.told(notice);
    }

    void taskReturned(SimulatedTask returned, Event.TaskOutcome outcome) {
        post(new Event.TaskReturned(returned.term().number(), outcome));
    }

    /** Hands on what the watch tells, unless a fault has silenced it. */
    private final class Posting implements Watcher {
        private boolean missed;

        @Override
        public void changed(ObservedRecord record) {
            hear(new Event.RecordChanged(record));
        }

        @Override
        public void gap() {
            world.reach(Milestone.WATCH_GAPPED);
            hear(new Event.WatchGapped());
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            hear(new Event.WatchProved(sentAtNanos));
        }

        /** What a silent watch has lost it makes good by a gap, as its contract wants it: a proof before that would speak of what it never told. */
        private void hear(Event event) {
            if (!node.watches()) {
                missed = true;
                world.reach(Milestone.WATCH_SILENCED);
                return;
            }
            if (missed) {
                missed = false;
                post(new Event.WatchGapped());
            }
            post(event);
        }
    }
}
