package dev.incumbent.internal;

import dev.incumbent.Candidacy;
import dev.incumbent.Election;
import dev.incumbent.LeaderTask;
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
    private final Candidate candidate;
    private final Timing timing;
    private final Ports ports;
    private final Loop loop;
    private final Batches batches;
    private final SessionDriver session;
    private final Map<ElectionName, ElectionDriver> elections = new LinkedHashMap<>();
    private final Map<ElectionName, Standpoint> standpoints = new LinkedHashMap<>();
    private final List<CurrentCandidacy> candidacies = new ArrayList<>();

    private ElectionRuntime(Candidate candidate, Timing timing, Ports ports) {
        this.candidate = candidate;
        this.timing = timing;
        this.ports = ports;
        this.batches = new Batches(ports.coordinator(), ports.clock(), this::answer);
        this.loop = new Loop(batches::flush, ports.trace());
        this.session = new SessionDriver(loop, ports, candidate.id(), timing, this);
    }

    public static ElectionRuntime start(
            Coordinator coordinator, Candidate candidate, Timing timing, Timeline timeline, Trace trace) {
        Ports ports = new Ports(coordinator, timeline, new LeaseClock(timeline), new SafeTrace(trace));
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
        open.forEach(CurrentCandidacy::close);
        CompletableFuture<Void> revoked = new CompletableFuture<>();
        session.post(new SessionEvent.Closed());
        loop.execute(() -> session.revoked().whenComplete((done, failure) -> revoked.complete(null)));
        await(revoked, timing.requestTimeout().multipliedBy(2));
        loop.close();
    }

    private CurrentCandidacy campaign(ElectionName name, List<Sink> guarded, LeaderTask task) {
        Standpoint standpoint = new Standpoint();
        CompletableFuture<ElectionDriver> opened = new CompletableFuture<>();
        CurrentCandidacy candidacy = new CurrentCandidacy(
                standpoint,
                event -> ((CompletionStage<ElectionDriver>) opened).thenAccept(driver -> driver.post(event)),
                () -> withdraw(name, standpoint, opened));
        synchronized (candidacies) {
            candidacies.add(candidacy);
        }
        loop.execute(() -> {
            if (standpoints.putIfAbsent(name, standpoint) != null) {
                opened.completeExceptionally(new IllegalStateException("this process stands in " + name + " already"));
                standpoint.troubled("this process stands in " + name + " already");
                return;
            }
            session.post(new SessionEvent.Opened());
            identify(name, guarded, standpoint, ids -> open(name, ids, standpoint, task, opened));
        });
        return candidacy;
    }

    /** Asks the sinks for their ids, again and again until all have told: without them nobody knows whether it may stand. */
    private void identify(
            ElectionName name, List<Sink> guarded, Standpoint standpoint, Consumer<Map<SinkId, Sink>> done) {
        Map<SinkId, Sink> ids = new HashMap<>();
        CompletionStage<Void> all = CompletableFuture.completedStage(null);
        for (Sink sink : guarded) {
            all = all.thenCompose(before -> sink.id()).thenAccept(id -> ids.put(id, sink));
        }
        all.whenComplete((known, failure) -> loop.execute(() -> {
            if (failure == null) {
                standpoint.begun();
                done.accept(ids);
            } else if (standpoints.get(name) == standpoint) {
                standpoint.troubled("a sink does not tell its id: " + Calls.why(failure));
                long later = ports.timeline().nanos() + timing.requestTimeout().toNanos();
                ports.timeline().at(later, () -> loop.execute(() -> identify(name, guarded, standpoint, done)));
            }
        }));
    }

    private void open(
            ElectionName name,
            Map<SinkId, Sink> sinks,
            Standpoint standpoint,
            LeaderTask task,
            CompletableFuture<ElectionDriver> opened) {
        if (standpoints.get(name) != standpoint) {
            return;
        }
        Map<SinkId, String> labels = new TreeMap<>();
        sinks.forEach((id, sink) -> labels.put(id, sink.label()));
        Setup setup = Setup.of(name, candidate, timing, labels);
        ElectionDriver driver = new ElectionDriver(new Stand(setup, Map.copyOf(sinks), task), this, ports, standpoint);
        elections.put(name, driver);
        session.lease().ifPresent(driver::step);
        if (session.isEnding()) {
            driver.step(new Event.SessionEnding());
        }
        driver.step(new Event.Campaigned());
        opened.complete(driver);
    }

    /**
     * Withdraws, and waits until nothing of this process is left in the election, for a bound. What is left then (a task that does not stop, a swap that may
     * land) is seen to until it is settled; only then may this process stand there again.
     */
    private void withdraw(ElectionName name, Standpoint standpoint, CompletableFuture<ElectionDriver> opened) {
        CompletionStage<ElectionDriver> ready = opened;
        if (opened.isDone() && !opened.isCompletedExceptionally()) {
            ready.thenAccept(driver -> driver.post(new Event.Withdrawn()));
            CompletableFuture<ElectionState> rest = standpoint.when(ElectionRuntime::isAtRest);
            CompletionStage<ElectionState> left = rest;
            left.thenRun(() -> loop.execute(() -> forget(name, standpoint)));
            if (!loop.isMine()) {
                await(rest, timing.stopLead().plus(timing.requestTimeout().multipliedBy(4)));
            }
        } else {
            loop.execute(() -> forget(name, standpoint));
        }
        synchronized (candidacies) {
            candidacies.removeIf(c -> c.isOf(standpoint));
        }
    }

    private static boolean isAtRest(ElectionState state) {
        return state.isSettled()
                && !state.standing().campaigning()
                && state.standing().listing() == Standing.Listing.OFF;
    }

    private void forget(ElectionName name, Standpoint standpoint) {
        if (standpoints.remove(name, standpoint)) {
            Optional.ofNullable(elections.remove(name)).ifPresent(ElectionDriver::close);
        }
    }

    private static void await(CompletableFuture<?> done, Duration bound) {
        try {
            done.get(bound.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException boundedAndTold) {
            // Closing never fails: what is left ends with the lease.
        }
    }

    private void answer(ElectionName election, Event event) {
        loop.execute(() -> Optional.ofNullable(elections.get(election)).ifPresent(driver -> driver.step(event)));
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
    public void endSession() {
        session.post(new SessionEvent.TaskStalled());
    }

    @Override
    public void tellElections(Event event) {
        List.copyOf(elections.values()).forEach(driver -> driver.step(event));
    }

    /** The proof: the records of all elections, and the marks of every sink that a leader guards, one query a sink. */
    @Override
    public void readProofs() {
        elections.keySet().forEach(batches::readRecord);
        Map<Sink, Set<ElectionName>> asked = new LinkedHashMap<>();
        elections.forEach((name, driver) -> {
            if (driver.state().role() == Role.LEADER) {
                driver.sinks()
                        .values()
                        .forEach(sink -> asked.computeIfAbsent(sink, s -> new TreeSet<>())
                                .add(name));
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
        standpoints.values().forEach(standpoint -> standpoint.troubled(why));
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
            return ElectionRuntime.this.campaign(name, guarded, task);
        }
    }
}
