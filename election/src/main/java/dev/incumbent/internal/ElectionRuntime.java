package dev.incumbent.internal;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.LeaderTask;
import dev.incumbent.TermListener;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.Role;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.ElectionState;
import dev.incumbent.protocol.Event;
import dev.incumbent.protocol.SessionEvent;
import dev.incumbent.protocol.Setup;
import dev.incumbent.protocol.Standing;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** One process: its loop, its session and its elections. The maps are owned by the loop's thread. */
public final class ElectionRuntime implements SessionDriver.Listener, ElectionDriver.Surroundings {
    /** Answers that take more than this part of the request timeout tell that too much is asked at a time. */
    private static final int PROMPT_PART = 4;

    private final Candidate candidate;
    private final Timing timing;
    private final Ports ports;
    private final Loop loop;
    private final Batches batches;
    private final Writes writes;
    private final SessionDriver session;
    private final Shared shared = new Shared();
    private final Map<ElectionName, CurrentCandidacy> standing = new LinkedHashMap<>();
    private final List<CurrentCandidacy> candidacies = new ArrayList<>();
    private volatile Optional<Loop> listeners = Optional.empty();

    private ElectionRuntime(Candidate candidate, Timing timing, Ports ports) {
        this.candidate = candidate;
        this.timing = timing;
        this.ports = ports;
        long prompt = timing.requestTimeout().dividedBy(PROMPT_PART).toNanos();
        this.batches = new Batches(ports.coordinator(), ports.clock(), prompt, new Answering());
        this.loop = new Loop("incumbent-driver", batches::flush, ports.trace());
        this.writes = new Writes(ports.clock(), prompt, loop::execute);
        this.session = new SessionDriver(loop, ports, candidate.id(), timing, this);
    }

    public static ElectionRuntime start(
            Coordinator coordinator, Candidate candidate, Timing timing, Timeline timeline, Trace trace) {
        Ports ports = new Ports(
                coordinator,
                timeline,
                new LeaseClock(timeline),
                new SafeTrace(trace),
                new Wakes(timeline),
                new Wakes(timeline));
        ElectionRuntime runtime = new ElectionRuntime(candidate, timing, ports);
        runtime.loop.start();
        return runtime;
    }

    public Candidate candidate() {
        return candidate;
    }

    public Election election(ElectionName name) {
        return new Unopened(name, List.of());
    }

    /** Closes candidacies, then the session, each bounded. */
    public void close() {
        List<CurrentCandidacy> open;
        synchronized (candidacies) {
            open = List.copyOf(candidacies);
        }
        await(
                CompletableFuture.allOf(open.stream().map(this::withdraw).toArray(CompletableFuture<?>[]::new)),
                leaving());
        CompletableFuture<Void> revoked = new CompletableFuture<>();
        session.post(new SessionEvent.Closed());
        loop.execute(() -> session.revoked().whenComplete((done, failure) -> revoked.complete(null)));
        await(revoked, timing.requestTimeout().multipliedBy(2));
        loop.execute(() -> {
            listeners.ifPresent(Loop::close);
            listeners = Optional.empty();
        });
        loop.close();
    }

    private CurrentCandidacy campaign(ElectionName name, List<Sink> guarded, TermRun.Each runs) {
        CurrentCandidacy candidacy = new CurrentCandidacy(this, name);
        synchronized (candidacies) {
            candidacies.add(candidacy);
        }
        loop.execute(() -> {
            if (standing.putIfAbsent(name, candidacy) != null) {
                candidacy.refused("this process stands in " + name + " already");
                return;
            }
            session.post(new SessionEvent.Opened());
            identify(candidacy, guarded, ids -> open(candidacy, ids, runs));
        });
        return candidacy;
    }

    /** Asks the sinks for their ids, again and again until all have told: without them nobody knows whether it may stand. */
    private void identify(CurrentCandidacy candidacy, List<Sink> guarded, Consumer<Map<SinkId, Sink>> done) {
        Map<SinkId, Sink> ids = new HashMap<>();
        CompletionStage<Void> all = CompletableFuture.completedStage(null);
        for (Sink sink : guarded) {
            all = all.thenCompose(before -> sink.id()).thenAccept(id -> ids.put(id, sink));
        }
        all.whenComplete((known, failure) -> loop.execute(() -> {
            if (failure == null) {
                candidacy.standpoint().begun();
                done.accept(ids);
            } else if (stands(candidacy)) {
                candidacy.standpoint().troubled("a sink does not tell its id: " + Calls.why(failure));
                long later = ports.timeline().nanos() + timing.requestTimeout().toNanos();
                ports.timeline().at(later, () -> loop.execute(() -> identify(candidacy, guarded, done)));
            }
        }));
    }

    private boolean stands(CurrentCandidacy candidacy) {
        return standing.get(candidacy.election()) == candidacy;
    }

    private void open(CurrentCandidacy candidacy, Map<SinkId, Sink> sinks, TermRun.Each runs) {
        if (!stands(candidacy)) {
            return;
        }
        Map<SinkId, String> labels = new TreeMap<>();
        sinks.forEach((id, sink) -> labels.put(id, sink.label()));
        Setup setup = Setup.of(candidacy.election(), candidate, timing, labels);
        ElectionDriver driver =
                new ElectionDriver(new Stand(setup, Map.copyOf(sinks), runs), this, ports, candidacy.standpoint());
        session.lease().ifPresent(driver::step);
        if (session.isEnding()) {
            driver.step(new Event.SessionEnding());
        }
        driver.step(new Event.Campaigned());
        candidacy.opened(driver);
    }

    /** Withdraws, and waits for it, for a bound. */
    void close(CurrentCandidacy candidacy) {
        await(withdraw(candidacy), leaving());
    }

    /**
     * Withdraws; done once nothing of this process is left in the election. What is left for longer (a task that does not stop, a swap that may land) is seen
     * to until it is settled; only then may this process stand there again.
     */
    private CompletableFuture<Void> withdraw(CurrentCandidacy candidacy) {
        synchronized (candidacies) {
            candidacies.remove(candidacy);
        }
        if (candidacy.driver().isEmpty()) {
            loop.execute(() -> forget(candidacy));
            return CompletableFuture.completedFuture(null);
        }
        candidacy.post(new Event.Withdrawn());
        CompletableFuture<ElectionState> rest = candidacy.standpoint().when(ElectionRuntime::isAtRest);
        CompletionStage<ElectionState> left = rest;
        left.thenRun(() -> loop.execute(() -> forget(candidacy)));
        return rest.thenCompose(settled -> heard());
    }

    /** Done once listeners have heard all that there is to hear so far. */
    private CompletableFuture<Void> heard() {
        CompletableFuture<Void> heard = new CompletableFuture<>();
        listeners.ifPresentOrElse(loud -> loud.execute(() -> heard.complete(null)), () -> heard.complete(null));
        return heard;
    }

    /** How long leaving may take. */
    private Duration leaving() {
        return timing.stopLead().plus(timing.requestTimeout().multipliedBy(4));
    }

    private static boolean isAtRest(ElectionState state) {
        return state.isSettled()
                && !state.standing().campaigning()
                && state.standing().listing() == Standing.Listing.OFF;
    }

    private void forget(CurrentCandidacy candidacy) {
        if (standing.remove(candidacy.election(), candidacy)) {
            candidacy.driver().ifPresent(ElectionDriver::close);
        }
    }

    /** Does not wait on a thread that others wait for. */
    private void await(CompletableFuture<?> done, Duration bound) {
        if (loop.isMine() || listeners.filter(Loop::isMine).isPresent()) {
            return;
        }
        try {
            done.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException boundedAndTold) {
            // Closing never fails: what is left ends with the lease.
        }
    }

    private void answer(ElectionName election, Event event) {
        loop.execute(() -> Optional.ofNullable(standing.get(election))
                .flatMap(CurrentCandidacy::driver)
                .ifPresent(driver -> driver.step(event)));
    }

    /** The thread that calls listeners, from the first term on that one hears. On the loop's thread. */
    private Loop listeners() {
        if (listeners.isEmpty()) {
            Loop first = new Loop("incumbent-listeners", () -> {}, ports.trace());
            first.start();
            listeners = Optional.of(first);
        }
        return listeners.get();
    }

    private List<ElectionDriver> drivers() {
        return standing.values().stream()
                .flatMap(candidacy -> candidacy.driver().stream())
                .toList();
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
    public Writes writes() {
        return writes;
    }

    @Override
    public Shared shared() {
        return shared;
    }

    @Override
    public void endSession() {
        session.post(new SessionEvent.TaskStalled());
    }

    @Override
    public void tellElections(Event event) {
        drivers().forEach(driver -> driver.step(event));
    }

    /** The proof: the records of all elections, and the marks of every sink that a leader guards, one query a sink. */
    @Override
    public void readProofs() {
        Map<Sink, Set<ElectionName>> asked = new LinkedHashMap<>();
        drivers().forEach(driver -> {
            if (driver.state().tenure().isPresent()) {
                batches.readProof(driver.election());
            } else {
                batches.readRecord(driver.election());
            }
            if (driver.state().role() == Role.LEADER) {
                driver.sinks()
                        .values()
                        .forEach(sink -> asked.computeIfAbsent(sink, s -> new TreeSet<>())
                                .add(driver.election()));
            }
        });
        asked.forEach(this::readMarks);
    }

    private void readMarks(Sink sink, Set<ElectionName> names) {
        long sentAt = ports.clock().nanos();
        sink.id().thenCombine(sink.marks(names), (id, marks) -> {
            names.forEach(
                    name -> answer(name, new Event.MarkRead(id, Optional.<Mark>ofNullable(marks.get(name)), sentAt)));
            return id;
        });
    }

    @Override
    public void timingRefused(String why) {
        standing.values().forEach(candidacy -> candidacy.standpoint().troubled(why));
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

    /** An election of this process before it stands. */
    private final class Unopened implements Election {
        private final ElectionName name;
        private final List<Sink> guarded;

        Unopened(ElectionName name, List<Sink> guarded) {
            this.name = name;
            this.guarded = guarded;
        }

        @Override
        public Election guarding(Sink... sinks) {
            List<Sink> all = new ArrayList<>(guarded);
            all.addAll(List.of(sinks));
            return new Unopened(name, List.copyOf(all));
        }

        @Override
        public Candidacy campaign(LeaderTask task) {
            return ElectionRuntime.this.campaign(
                    name, guarded, (leadership, driver) -> new TaskRun(task, leadership, driver, ports));
        }

        @Override
        public Candidacy stand() {
            return ElectionRuntime.this.campaign(name, guarded, (leadership, driver) -> TermRun.ASKED);
        }

        @Override
        public Candidacy stand(TermListener listener) {
            return ElectionRuntime.this.campaign(
                    name, guarded, (leadership, driver) -> new HeardRun(listener, leadership, driver, listeners()));
        }
    }
}
