package dev.incumbent.internal;

import dev.incumbent.Election;
import dev.incumbent.LeaderListener;
import dev.incumbent.Observation;
import dev.incumbent.Stonith;
import dev.incumbent.Trace;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.Setup;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** One process: its loop, its session and its elections. All but {@code open} is owned by the loop's thread. */
public final class ElectionRuntime implements SessionDriver.Listener, ElectionDriver.Surroundings {
    /** Answers that take more than this part of the request timeout tell that too much is asked at a time. */
    private static final int PROMPT_PART = 4;

    private final Candidate candidate;
    private final Timing timing;
    private final Optional<Duration> movesAfter;
    private final Ports ports;
    private final Strand loop;
    private final Batches batches;
    private final Proofs proofs;
    private final Writes writes;
    private final SessionDriver session;
    private final Shared shared = new Shared();
    private final Closing closing = new Closing();
    private final Observations observations = new Observations();
    /** Those that users have opened and not closed; guarded by itself. */
    private final Map<ElectionName, CurrentCandidacy> open = new TreeMap<>();
    /** Those that stand, or leave. */
    private final Map<ElectionName, CurrentCandidacy> standing = new LinkedHashMap<>();
    /** Those that stand as soon as what this process has left there allows it. */
    private final Map<ElectionName, Opening> waiting = new LinkedHashMap<>();

    private final Former former;
    private final Optional<Hearing> hearing;

    private final SessionTroubles troubles;
    private boolean isOpen = true;
    /** Those that were open when all were closed. */
    private List<CurrentCandidacy> those = List.of();

    private volatile boolean ended;
    /** How long any fence agent of this process may take. */
    private volatile Duration longestAgent = Duration.ZERO;

    /** How long was slept by the last comparison of the clocks, whose thread owns this. */
    private long slept;

    private ElectionRuntime(ProcessSetup setup, Ports given, Optional<BeatTransport> beats) {
        this.candidate = setup.candidate();
        this.timing = setup.timing();
        this.movesAfter = setup.movesAfter();
        this.ports = given.over(new MissingClassDetector(given.coordinator(), this::lacksAClass));
        this.troubles = new SessionTroubles(ports.teller(), standing.values());
        this.former = new Former(candidate.id());
        long prompt = timing.requestTimeout().dividedBy(PROMPT_PART).toNanos();
        this.batches = new Batches(ports.coordinator(), ports.clock(), prompt, new Answering());
        long followersEvery = Proofs.followersEvery(ports.coordinator().capabilities(), timing);
        this.proofs = new Proofs(batches, followersEvery);
        this.loop = ports.platform().strand(this::flush, ports.trace());
        this.writes = new Writes(ports.clock(), prompt, loop::execute);
        this.session = new SessionDriver(loop, ports, candidate.id(), timing, this);
        this.hearing = beats.map(transport -> Hearing.over(transport, candidate.id(), this::answer, loop, ports));
    }

    private void flush() {
        batches.flush();
        hearing.ifPresent(Hearing::flush);
    }

    /** Elections of a process that was set up so; none stands yet. */
    public static ElectionRuntime start(Coordinator coordinator, ProcessSetup setup, Platform platform, Ears ears) {
        LeaseClock clock = new LeaseClock(platform.timeline());
        Trace queued = QueuedTrace.of(ears.trace(), platform.userCode());
        Ports ports = new Ports(
                coordinator,
                platform,
                clock,
                queued,
                new Teller(ears.listener(), platform, clock, queued),
                new Wakes(platform.timeline()),
                new Wakes(platform.stops()),
                new Spread(setup.spreads()));
        Candidate candidate = setup.candidate();
        Optional<BeatTransport> beats = platform.beats(candidate.id());
        Candidate me =
                beats.map(transport -> Hearing.heardAt(transport, candidate)).orElse(candidate);
        ElectionRuntime runtime = new ElectionRuntime(setup.with(me), ports, beats);
        platform.watchTheClocks(setup.timing().requestTimeout(), runtime::compareTheClocks);
        return runtime;
    }

    public Candidate candidate() {
        return candidate;
    }

    public Election election(ElectionName name) {
        return new Unopened(this, ports, name, Safeguards.NONE);
    }

    /** The state of an election that this process stands in, or leaves; on the loop's thread. */
    public Optional<ElectionState> state(ElectionName election) {
        return Optional.ofNullable(standing.get(election))
                .flatMap(CurrentCandidacy::driver)
                .map(ElectionDriver::state);
    }

    /** Any event for an election that this process stands in. */
    public void post(ElectionName election, Event event) {
        answer(election, event);
    }

    /**
     * Leaves every election, then ends the session. Completes once nothing is left, or once the time for leaving is up: with the terms whose tasks still run. Any
     * thread; asked again it tells the same.
     */
    public CompletionStage<Set<Term>> closeAsync() {
        List<CurrentCandidacy> opened;
        observations.close();
        synchronized (open) {
            isOpen = false;
            opened = List.copyOf(open.values());
            open.clear();
        }
        loop.execute(() -> {
            if (closing.begin()) {
                those = opened;
                session.step(new SessionEvent.Closing());
                those.forEach(this::leave);
                ports.timeline().at(ports.timeline().nanos() + leaving().toNanos(), () -> loop.execute(this::timeIsUp));
                revokeIfAllMay();
            }
        });
        return handedOut(closing.told());
    }

    /** Waits for the end of {@link #closeAsync}, and of what depends on it, where that may be waited for. */
    public void await(CompletionStage<?> closed) {
        ports.platform().await(closed, leaving().plus(timing.requestTimeout().multipliedBy(3)));
    }

    /**
     * A suspend lets alarms ring late: so the clocks are compared once a request timeout, and where they have jumped all alarms are set earlier. On the thread that
     * stops tasks, whatever the loop's does.
     */
    private boolean compareTheClocks() {
        if (ended) {
            return false;
        }
        ports.clock().tick();
        ports.clock().nanos();
        long sleptBefore = slept;
        slept = ports.clock().slept();
        if (slept != sleptBefore) {
            ports.stops().advance(slept - sleptBefore);
            ports.wakes().advance(slept - sleptBefore);
            session.post(new SessionEvent.Woken());
        }
        return true;
    }

    private void timeIsUp() {
        closing.timeIsUp(drivers());
        revokeIfAllMay();
    }

    private void revokeIfAllMay() {
        if (closing.revokes(standing::isEmpty, drivers())) {
            session.step(new SessionEvent.Closed());
            Duration bound = timing.requestTimeout().multipliedBy(2);
            ports.timeline().at(ports.timeline().nanos() + bound.toNanos(), () -> loop.execute(this::finish));
            session.revoked().whenComplete((done, failure) -> loop.execute(this::finish));
        }
    }

    /** The end: whoever still leaves has left, as far as this process can tell. Told once listeners have heard it, or a request timeout later. */
    private void finish() {
        if (ended) {
            return;
        }
        ended = true;
        hearing.ifPresent(Hearing::close);
        Set<Term> running = Closing.running(drivers());
        List.copyOf(standing.values()).forEach(this::forget);
        loop.close();
        ports.timeline().at(ports.timeline().nanos() + timing.requestTimeout().toNanos(), () -> conclude(running));
        CompletableFuture<?>[] left = those.stream().map(CurrentCandidacy::left).toArray(CompletableFuture<?>[]::new);
        CompletionStage<Void> all = CompletableFuture.allOf(left);
        all.thenRun(() -> conclude(running));
    }

    private void conclude(Set<Term> running) {
        if (closing.concludes()) {
            closing.told().complete(running);
            ports.platform().close();
        }
    }

    /** Stands, from now until that is closed. Any thread. */
    CurrentCandidacy campaign(ElectionName name, Safeguards guarded, TermRun.Each runs) {
        guarded.checkAgainst(timing);
        guarded.stonith().map(Stonith::bound).ifPresent(this::mayTake);
        Serial userCode = new Serial(ports.platform().userCode(), ports.trace(), name.toString());
        CurrentCandidacy candidacy = new CurrentCandidacy(this, name, userCode, ports.teller());
        synchronized (open) {
            if (!isOpen) {
                throw new IllegalStateException("cannot campaign: these elections are closed");
            }
            if (open.putIfAbsent(name, candidacy) != null) {
                throw new IllegalStateException(
                        "this process stands in " + name + " already: close that candidacy before it stands again");
            }
        }
        Opening opening = new Opening(candidacy, guarded, runs);
        loop.execute(() -> stand(opening));
        return candidacy;
    }

    /** A fence agent of this process may take so long. */
    private void mayTake(Duration bound) {
        synchronized (open) {
            if (bound.compareTo(longestAgent) > 0) {
                longestAgent = bound;
            }
        }
    }

    Observation observe(ElectionName name, LeaderListener listener) {
        Observing observing = new Observing(name, listener, ports, timing.requestTimeout());
        observations.begin(observing);
        return observing;
    }

    private void stand(Opening opening) {
        CurrentCandidacy candidacy = opening.candidacy();
        if (candidacy.left().isDone()) {
            return;
        }
        Optional<CurrentCandidacy> before = Optional.ofNullable(standing.get(candidacy.election()));
        if (before.isPresent()) {
            waiting.put(candidacy.election(), opening);
            succeedSoon(before.get());
            candidacy
                    .view()
                    .arose(
                            Trouble.Kind.STILL_LEAVING,
                            "it stands once its former candidacy in " + candidacy.election()
                                    + " has left: a task that has not returned, or a swap that is not answered");
            return;
        }
        standing.put(candidacy.election(), candidacy);
        ports.teller().stands(candidacy.election());
        candidacy.view().mended(Trouble.Kind.STILL_LEAVING);
        troubles.stands(candidacy);
        session.step(new SessionEvent.Opened());
        opening.begin(
                new WhileItStands(loop, ports.timeline(), timing.requestTimeout(), () -> stands(candidacy)),
                this::open);
    }

    /** Whoever waits behind a candidacy that is leaving stands as soon as a new one may: what may still land it knows by what is remembered. */
    private void succeedSoon(CurrentCandidacy leaving) {
        leaving.view()
                .when(state -> state.mayStandAnew(candidate.id()))
                .thenRun(() -> loop.execute(() -> {
                    if (waiting.containsKey(leaving.election())) {
                        forget(leaving);
                    }
                }));
    }

    private boolean stands(CurrentCandidacy candidacy) {
        return standing.get(candidacy.election()) == candidacy;
    }

    private void open(Opening opening, Map<SinkId, Sink> sinks) {
        CurrentCandidacy candidacy = opening.candidacy();
        Map<SinkId, String> labels = new TreeMap<>();
        sinks.forEach((id, sink) -> labels.put(id, sink.label()));
        Safeguards guarded = opening.guarded();
        Setup setup = guarded.in(
                Setup.of(candidacy.election(), candidate, timing, labels).movingAfter(movesAfter));
        CampaignPlan plan = new CampaignPlan(setup, sinks, guarded.stonith(), opening.runs());
        ElectionDriver driver = new ElectionDriver(plan, this, ports, candidacy);
        begin(driver);
        candidacy.opened(driver);
    }

    /** Tells a new driver what there is to know before anything is asked of it. */
    private void begin(ElectionDriver driver) {
        former.remind(driver);
        session.remind(driver);
        hearing.ifPresent(it -> it.begins(driver.election()));
    }

    /** Stands for a moment where it has left, only to take its name off the record. */
    private void disown(ElectionName election, Event named) {
        CurrentCandidacy returned = new CurrentCandidacy(
                this,
                election,
                new Serial(ports.platform().userCode(), ports.trace(), election.toString()),
                ports.teller());
        Setup setup = Setup.of(election, candidate, timing, Map.of());
        CampaignPlan nothing =
                new CampaignPlan(setup, Map.of(), Optional.empty(), (leadership, driver) -> TermRun.ASKED);
        standing.put(election, returned);
        ElectionDriver driver = new ElectionDriver(nothing, this, ports, returned);
        begin(driver);
        returned.leaves(driver);
        driver.step(named);
        leave(returned);
    }

    /** Withdraws, and waits for it where that may be waited for. */
    void close(CurrentCandidacy candidacy) {
        ports.platform().await(withdraw(candidacy), leaving());
    }

    /**
     * Withdraws; done once nothing of this process is left in the election. What is left for longer (a task that does not stop, a swap that may land) is seen
     * to until it is settled. Whoever stands there anew waits for the task, and for the answer to the swap; a swap that lands later is disowned.
     */
    CompletableFuture<Void> withdraw(CurrentCandidacy candidacy) {
        synchronized (open) {
            open.remove(candidacy.election(), candidacy);
        }
        loop.execute(() -> leave(candidacy));
        return candidacy.left();
    }

    private void leave(CurrentCandidacy candidacy) {
        if (candidacy.isGone()) {
            return; // it is told once its listeners have heard all
        }
        if (!stands(candidacy)) {
            waiting.values().removeIf(opening -> opening.candidacy() == candidacy);
            candidacy.leaves();
            candidacy.left().complete(null);
        } else if (candidacy.driver().isEmpty()) {
            forget(candidacy);
        } else {
            candidacy.driver().get().step(new Event.Withdrawn());
            candidacy
                    .view()
                    .when(state -> state.isSettled(candidate.id()))
                    .thenRun(() -> loop.execute(() -> forget(candidacy)));
        }
    }

    /** How long leaving may take, also where a fence agent works. */
    private Duration leaving() {
        return timing.stopLead().plus(timing.requestTimeout().multipliedBy(4)).plus(longestAgent);
    }

    private void forget(CurrentCandidacy candidacy) {
        if (standing.remove(candidacy.election(), candidacy)) {
            candidacy.driver().ifPresent(driver -> {
                driver.close();
                former.left(driver.election(), driver.state().memory());
            });
            candidacy.leaves();
            ports.teller().left(candidacy.election());
            candidacy.userCode().execute(() -> candidacy.left().complete(null));
            Optional.ofNullable(waiting.remove(candidacy.election())).ifPresent(this::stand);
            revokeIfAllMay();
        }
    }

    private void answer(ElectionName election, Event event) {
        loop.execute(() -> {
            if (standing.containsKey(election)) {
                standing.get(election).driver().ifPresent(driver -> driver.step(event));
            } else if (!closing.hasBegun() && former.isNamedBy(election, event)) {
                disown(election, event);
            }
        });
    }

    private List<ElectionDriver> drivers() {
        return standing.values().stream()
                .flatMap(candidacy -> candidacy.driver().stream())
                .toList();
    }

    <T> CompletionStage<T> handedOut(CompletableFuture<T> stage) {
        return Calls.handedOut(stage, ports.platform().userCode());
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public void readRecord(ElectionName election) {
        batches.readRecord(election);
    }

    @Override
    public void listCandidates(ElectionName election) {
        batches.listCandidates(election);
    }

    @Override
    public void readMark(ElectionName election, SinkId id, Sink sink) {
        batches.readMark(election, id, sink);
    }

    @Override
    public Writes writes() {
        return writes;
    }

    @Override
    public Shared shared() {
        return shared;
    }

    @Override
    public void endSession() {
        if (!ports.platform().taskRules().keepsLease()) {
            session.post(new SessionEvent.TaskStalled());
        }
    }

    @Override
    public void stepped(ElectionDriver driver) {
        hearing.ifPresent(it -> it.stepped(driver));
        if (closing.hasBegun()) {
            revokeIfAllMay();
        }
    }

    @Override
    public void tellElections(Event event) {
        drivers().forEach(driver -> driver.step(event));
    }

    @Override
    public void readProofs() {
        proofs.read(drivers());
        former.due().forEach(batches::readRecord);
    }

    @Override
    public SessionTroubles troubles() {
        return troubles;
    }

    private void lacksAClass(CoordinatorUnusableException why) {
        session.post(new SessionEvent.Unusable(String.valueOf(why.getMessage())));
    }

    /** Hands what was read to the loop. */
    private final class Answering implements Batches.Answers {
        @Override
        public void of(ElectionName election, Event event) {
            answer(election, event);
        }

        @Override
        public void thereafter(Runnable task) {
            loop.execute(task);
        }
    }
}
