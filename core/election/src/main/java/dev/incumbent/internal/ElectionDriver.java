package dev.incumbent.internal;

import dev.incumbent.Stonith;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Holder;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.Attempt;
import dev.incumbent.protocol.Driver;
import dev.incumbent.protocol.Effect;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.Memory;
import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Notice;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.Step;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Drives one election of this process: feeds its machine, performs its effects. Owned by the loop's thread; completions of calls come back to it through the
 * loop.
 */
final class ElectionDriver implements Driver {
    private final Setup setup;
    private final Machines.OfElection machine;
    private final Surroundings process;
    private final Ports ports;
    private final Map<SinkId, Sink> sinks;
    private final Optional<Stonith> stonith;
    private final TermRun.Each runs;
    private final CandidacyView view;
    private final Serial userCode;
    private final Watch watch;
    private final Wakes.Wake alarm;
    private ElectionState state = ElectionState.START;
    private Optional<CurrentLeadership> leadership = Optional.empty();
    private Optional<TermRun> run = Optional.empty();
    private Optional<Event> next = Optional.empty();
    private CompletionStage<Void> lastListing = CompletableFuture.completedStage(null);
    private boolean isClosed;

    /** What one election needs of its process; called on the loop's thread. */
    interface Surroundings {
        void execute(Runnable task);

        void readRecord(ElectionName election);

        void listCandidates(ElectionName election);

        void readMark(ElectionName election, SinkId id, Sink sink);

        Writes writes();

        void endSession();

        Shared shared();

        /** That election has taken a step. */
        void stepped(ElectionDriver driver);
    }

    ElectionDriver(CampaignPlan plan, Surroundings process, Ports ports, CurrentCandidacy candidacy) {
        this.setup = plan.setup();
        this.machine = ports.platform().machines().election(setup);
        this.process = process;
        this.ports = ports;
        this.sinks = plan.sinks();
        this.stonith = plan.stonith();
        this.runs = plan.runs();
        this.view = candidacy.view();
        this.userCode = candidacy.userCode();
        this.alarm = ports.wakes().of(this::wake);
        this.watch = ports.coordinator().watch(setup.election(), new Posting());
    }

    ElectionName election() {
        return setup.election();
    }

    Timing timing() {
        return setup.timing();
    }

    ElectionState state() {
        return state;
    }

    /** Does another process lead, and is nothing of this one's under way? */
    boolean isFollower() {
        return state.follows(setup.candidate().id());
    }

    /** The term that this process has claimed, raises sinks for, or holds, if all that it writes is fenced. */
    Optional<Long> announced() {
        if (!isFenced()) {
            return Optional.empty();
        }
        return state.tenure()
                .map(tenure -> tenure.term().number())
                .or(() -> state.attempt()
                        .filter(claim -> claim.kind() == Attempt.Kind.CLAIM)
                        .map(claim -> claim.next().term()));
    }

    /** The leader that this candidate could preempt, if it were gone. */
    Optional<Candidate> followed() {
        LeaderRecord record = state.record();
        return state.role() == Role.CANDIDATE
                        && isFenced()
                        && stonith.isEmpty()
                        && !record.sinks().isEmpty()
                ? record.leader()
                        .filter(leader -> !leader.id().equals(setup.candidate().id()))
                : Optional.empty();
    }

    /** Takes over what this process knew when it stood there before; before the first step. */
    void remember(Memory before) {
        state = state.remembering(before);
    }

    Map<SinkId, Sink> sinks() {
        return sinks;
    }

    boolean isFenced() {
        return setup.isFenced();
    }

    /** Steps soon, in turn. Any thread. */
    void post(Event event) {
        process.execute(() -> step(event));
    }

    /** Where this candidacy's listeners are called, in order. */
    Serial userCode() {
        return userCode;
    }

    /** A stage for users: what depends on it runs on a thread of user code, or on the caller's. */
    <T> CompletionStage<T> handedOut(CompletableFuture<T> stage) {
        return Calls.handedOut(stage, ports.platform().userCode());
    }

    /**
     * Steps now. The loop's thread alone. Where the machine throws, this election stays where it was, says so, and looks again after a request timeout; no other
     * election hears of it. Once it is closed it steps no more, whatever is answered late: another may stand in its place.
     */
    void step(Event event) {
        if (isClosed) {
            return;
        }
        ports.spread().news(state).ifPresent(this::stepBy);
        stepBy(event);
        stepOn();
    }

    private void stepBy(Event event) {
        Moment moment = ports.clock().moment();
        try {
            take(machine.step(state, event, moment), event, moment);
        } catch (RuntimeException | Error e) {
            ports.trace().failed("stepping " + setup.election() + " by " + event, e);
            view.arose(Trouble.Kind.STEP, "a step failed and is tried again: " + Calls.why(e));
            wakeAt(moment.nanos() + setup.timing().requestTimeout().toNanos());
        }
        ports.spread().stepped(setup.election(), state);
        process.stepped(this);
    }

    private void take(Step<ElectionState, Effect> step, Event event, Moment moment) {
        state = process.shared().of(step.state());
        ports.trace().stepped(setup.election(), event, step, moment);
        for (Effect effect : step.effects()) {
            effect.performBy(this);
        }
        extendValidity();
        view.stepped(state, leadership);
        wakeAt(step.wakeAtNanos());
    }

    /** Steps by what the last step's effects have settled at once. */
    private void stepOn() {
        Optional<Event> settled = next;
        next = Optional.empty();
        settled.ifPresent(this::step);
    }

    void close() {
        isClosed = true;
        watch.close();
        wakeAt(Step.NEVER);
    }

    private void wakeAt(long nanos) {
        if (nanos == Step.NEVER) {
            alarm.never();
        } else {
            alarm.at(ports.clock().onTimeline(nanos));
        }
    }

    private void wake() {
        post(new Event.Woken());
    }

    private void extendValidity() {
        if (leadership.isEmpty() || state.role() != Role.LEADER) {
            return;
        }
        long until = state.validUntilNanos(setup.timing());
        long validFor = setup.timing().validForNanos(state.lease().orElseThrow().timeToLive());
        boolean extended = leadership
                .get()
                .extend(until - validFor, until - setup.timing().stopLead().toNanos(), until, process.shared());
        if (extended) {
            run.ifPresent(TermRun::validityExtended);
        }
    }

    @Override
    public void readRecord() {
        process.readRecord(setup.election());
    }

    @Override
    public void listCandidates() {
        process.listCandidates(setup.election());
    }

    @Override
    public void swapRecord(Revision expected, LeaderRecord next) {
        process.writes()
                .swap(() -> ports.coordinator().swap(setup.election(), expected, next))
                .whenComplete((swap, failure) -> post(
                        failure == null
                                ? outcome(next.nonce(), swap)
                                : Calls.mayHaveApplied(failure)
                                        ? new Event.SwapUncertain(next.nonce())
                                        : new Event.SwapFailed(next.nonce())));
    }

    private static Event outcome(String nonce, Swap swap) {
        return swap instanceof Swap.Accepted accepted
                ? new Event.SwapAccepted(nonce, accepted.revision())
                : new Event.SwapRefused(nonce, ((Swap.Refused) swap).current());
    }

    @Override
    public void enlist(Enlisted candidate, boolean atEnd) {
        var coordinator = ports.coordinator();
        var election = setup.election();
        list(() -> {
                    var off = atEnd
                            ? coordinator.withdraw(
                                    election, candidate.candidate().id())
                            : CompletableFuture.<Void>completedStage(null);
                    return off.thenCompose(done -> coordinator.enlist(election, candidate));
                })
                .whenComplete((done, failure) -> post(
                        failure == null ? new Event.CandidateEnlisted() : new Event.EnlistFailed(Calls.why(failure))));
    }

    @Override
    public void withdraw(CandidateId candidate) {
        list(() -> ports.coordinator().withdraw(setup.election(), candidate)).whenComplete((done, failure) -> {
            if (failure != null) {
                ports.trace().failed("withdrawing " + candidate + " from " + setup.election(), failure);
            }
        });
    }

    /** Changes this candidate's place on the list, each change after the one before has ended: a withdrawal that arrives late must not undo what came after it. */
    private CompletionStage<Void> list(Supplier<CompletionStage<Void>> call) {
        CompletionStage<Void> before = lastListing;
        CompletableFuture<Void> ended = new CompletableFuture<>();
        lastListing = ended;
        Runnable send = () -> process.writes().other(call).whenComplete((done, failure) -> {
            if (failure == null) {
                ended.complete(null);
            } else {
                ended.completeExceptionally(failure);
            }
        });
        if (before.toCompletableFuture().isDone()) {
            send.run();
        } else {
            before.whenComplete((done, failure) -> process.execute(send));
        }
        return ended;
    }

    @Override
    public void raise(SinkId id, Mark mark) {
        Sink sink = sink(id);
        Calls.answered(() -> sink.raise(setup.election(), mark, setup.timing().lease()))
                .whenComplete((raise, failure) -> post(
                        failure == null
                                ? outcome(id, mark, raise)
                                : new Event.MarkUnraised(id, mark, Calls.why(failure))));
    }

    @Override
    public void readMark(SinkId id) {
        process.readMark(setup.election(), id, sink(id));
    }

    @Override
    public void fenceHolder(Holder holder, long untilNanos) {
        Stonith how = stonith.orElseThrow(
                () -> new IllegalStateException("no fence agent in " + setup.election() + " for " + holder));
        new HolderFencing(ports, holder, how, untilNanos)
                .begin(setup.candidate().id().value(), this::post);
    }

    private Sink sink(SinkId id) {
        Sink sink = sinks.get(id);
        if (sink == null) {
            throw new IllegalStateException(
                    "sink " + id + " of " + setup.election() + " is not among " + sinks.keySet());
        }
        return sink;
    }

    private static Event outcome(SinkId sink, Mark asked, Raise raise) {
        if (raise instanceof Raise.Raised) {
            return new Event.MarkRaised(sink, asked);
        }
        if (raise instanceof Raise.Refused refused) {
            return new Event.MarkRefused(sink, asked, refused.inForce());
        }
        return new Event.MarkUnraised(
                sink,
                asked,
                "raising the mark from " + ((Raise.TooFar) raise).from() + " to " + asked.token() + " is further than "
                        + Raise.FURTHEST);
    }

    /** A task that cannot be started has returned by that: its term must not be renewed for ever. */
    @Override
    public void beginTerm(Term term, Optional<PastTerm> previous) {
        view.mended(Trouble.Kind.STEP);
        view.mended(Trouble.Kind.UNRAISED);
        view.mended(Trouble.Kind.UNFENCED);
        view.mended(Trouble.Kind.TWO_COORDINATORS);
        CurrentLeadership begun = new CurrentLeadership(term, previous, ports.clock(), this);
        leadership = Optional.of(begun);
        run = Optional.empty();
        ports.teller().granted(term);
        try {
            TermRun started = runs.of(begun, this);
            run = Optional.of(started);
            extendValidity();
            view.stepped(state, leadership);
            started.start();
        } catch (RuntimeException | Error e) {
            returned(term, "starting the task", Optional.of(e), true);
        }
    }

    /** What ran in a term has returned, or thrown, of itself or since it was told to stop. Any thread. */
    void returned(Term term, String who, Optional<Throwable> failure, boolean ofItself) {
        failure.ifPresent(thrown -> ports.trace().failed(who + " of " + term, thrown));
        process.execute(() -> {
            if (ofItself) {
                failure.ifPresent(thrown -> hasThrown(term, who, thrown));
            } else {
                view.mended(Trouble.Kind.USER_CODE);
            }
            step(new Event.TaskReturned(term.number(), outcome(failure)));
        });
    }

    /** What runs beside a task has thrown; the term goes on. Any thread. */
    void threw(Term term, String who, Throwable thrown) {
        ports.trace().failed(who + " of " + term, thrown);
        process.execute(() -> hasThrown(term, who, thrown));
    }

    private void hasThrown(Term term, String who, Throwable thrown) {
        view.arose(Trouble.Kind.USER_CODE, who + " of " + term + " threw " + thrown);
        ports.teller().failed(term, thrown);
    }

    private static Event.TaskOutcome outcome(Optional<Throwable> failure) {
        return failure.map(thrown ->
                        thrown instanceof StaleTokenException ? Event.TaskOutcome.STALE_TOKEN : Event.TaskOutcome.THREW)
                .orElse(Event.TaskOutcome.RETURNED);
    }

    /** Where nothing is to be waited for, nothing comes between: no pause lets such a term seem stalled. */
    @Override
    public void interruptTask(Term term) {
        if (run.filter(TermRun::interrupt).isEmpty()) {
            next = Optional.of(new Event.TaskReturned(term.number(), Event.TaskOutcome.RETURNED));
        }
    }

    @Override
    public void endTerm(Term term, EndReason reason) {
        view.handedTo(state.tenure().flatMap(tenure -> tenure.handover().successor()));
        leadership.ifPresent(over -> over.end(reason));
        run.ifPresent(over -> over.ended(reason));
        ports.teller().revoked(term, reason);
    }

    @Override
    public void endSession() {
        process.endSession();
    }

    @Override
    public void tell(Notice notice) {
        if (notice instanceof Notice.Jeopardy jeopardy) {
            leadership.ifPresent(held -> inJeopardy(held, jeopardy.inJeopardy()));
        } else if (notice instanceof Notice.TransferAborted aborted) {
            leadership.ifPresent(held -> ports.teller().declined(held.term(), aborted.successor(), aborted.why()));
        }
        view.told(notice);
    }

    private void inJeopardy(CurrentLeadership held, boolean is) {
        held.inJeopardy(is);
        ports.teller().jeopardy(held.term(), is);
    }

    /** Hands what the watch tells to the loop. */
    private final class Posting implements Watcher {
        @Override
        public void changed(ObservedRecord record) {
            post(new Event.RecordChanged(record));
        }

        @Override
        public void gap() {
            post(new Event.WatchGapped());
        }

        @Override
        public void currentAsOf(long sentAtNanos) {
            post(new Event.WatchProved(ports.clock().ofTimeline(sentAtNanos)));
        }
    }
}
