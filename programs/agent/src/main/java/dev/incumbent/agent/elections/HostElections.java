package dev.incumbent.agent.elections;

import dev.incumbent.Election;
import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionListener;
import dev.incumbent.ElectionStatus;
import dev.incumbent.Elections;
import dev.incumbent.agent.alarms.AlarmList;
import dev.incumbent.agent.alarms.AlarmListener;
import dev.incumbent.agent.alarms.AlarmRegister;
import dev.incumbent.agent.alarms.ConflictAlarm;
import dev.incumbent.agent.owners.Owner;
import dev.incumbent.agent.owners.OwnersEffect.Refused;
import dev.incumbent.agent.owners.OwnersEffect.Reply;
import dev.incumbent.agent.owners.OwnersEffect.Unknown;
import dev.incumbent.agent.owners.OwnersEffect.Why;
import dev.incumbent.agent.owners.OwnersEvent;
import dev.incumbent.agent.owners.OwnersSetup;
import dev.incumbent.coordinator.Capabilities.Consistency;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Mark;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.telling.conflict.MetMark;
import dev.incumbent.telling.conflict.StaleWrite;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * The elections of one coordinator that the owners of this host stand in. They share one lease.
 *
 * <p>Thread-safe; no method but {@link #close} blocks. An answer is given on the one thread that owns the state of all owners, so it must return at once.
 */
public final class HostElections implements AutoCloseable {
    private static final int ID_BYTES = 16;
    private static final int LOOKS_IN_A_LEASE = 3;
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final HostSetup setup;
    private final Coordinator coordinator;
    private final OwnersSetup owners;
    private final Readiness readiness;
    private final Elections elections;
    private final Strand strand = new Strand();
    private final SecureRandom random = new SecureRandom();
    private final CompletableFuture<Void> quiet = new CompletableFuture<>();
    private final Watching watching;
    private final Allowance allowance;
    private final Followers followers;
    private final Questions questions;
    private final SinkQuestions sinkQuestions;
    private final AlarmRegister alarms;
    private final AlarmWatch alarmWatch;
    private volatile boolean drains;
    // Touched by the strand alone.
    private final Map<ElectionName, HeldElection> held = new TreeMap<>();

    private HostElections(HostSetup setup, Coordinator coordinator, Hearers hearers, Allowance allowance) {
        this.setup = setup;
        this.coordinator = coordinator;
        this.allowance = allowance;
        this.questions = new Questions(strand, allowance.questions());
        this.owners = setup.owners();
        this.readiness = new Readiness(coordinator, strand);
        Elections.Builder builder = Elections.over(coordinator)
                .address(setup.address())
                .rank(setup.rank())
                .timing(setup.timing())
                .keepWhileTaskRuns()
                .listener(readiness)
                .listener(new JeopardyNews())
                .listener(new MarkNews());
        hearers.listeners().forEach(builder::listener);
        setup.name().ifPresent(builder::name);
        setup.movesAfter().ifPresent(builder::movesToBetter);
        if (setup.spreads()) {
            builder.spread();
        }
        this.elections = builder.open();
        this.watching =
                new Watching(name -> elections.election(name.value()), this::status, strand, allowance.waiting());
        this.alarms =
                new AlarmRegister(allowance.alarms(), setup.timing().lease(), hearers.alarms(), this::tellFollowers);
        this.followers = new Followers(watching, this::find, allowance.streams(), alarms);
        this.sinkQuestions = new SinkQuestions(setup.sinks(), strand);
        this.alarmWatch = new AlarmWatch(
                strand,
                new OwnSubjects(),
                alarms,
                setup.timing().lease().dividedBy(LOOKS_IN_A_LEASE),
                coordinator.capabilities().consistency() != Consistency.LINEARIZABLE);
        alarmWatch.begin();
    }

    /** Who hears of the elections of one coordinator, and who of its alarms. */
    record Hearers(List<ElectionListener> listeners, List<AlarmListener> alarms) {
        Hearers {
            listeners = List.copyOf(listeners);
            alarms = List.copyOf(alarms);
        }
    }

    private void tellFollowers(ConflictAlarm alarm) {
        followers.tell(alarm);
    }

    /** What this host stands in, at this coordinator. */
    private final class OwnSubjects implements AlarmWatch.Subjects {
        @Override
        public NavigableSet<ElectionName> stoodIn() {
            return new TreeSet<>(held.keySet());
        }

        @Override
        public Optional<Term> held(ElectionName election) {
            return find(election).flatMap(HeldElection::held);
        }

        @Override
        public CompletionStage<List<SinkMarks>> marks(NavigableSet<ElectionName> elections) {
            return sinkQuestions.marks(elections);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> records(NavigableSet<ElectionName> elections) {
            return HostElections.this.records(elections);
        }
    }

    /** Begins the session at one of the coordinators, and does not wait for a lease. */
    static HostElections open(HostSetup setup, Coordinator coordinator, Hearers hearers, Allowance allowance) {
        return new HostElections(setup, coordinator, hearers, allowance);
    }

    /** Lets followers hear of jeopardy. */
    private final class JeopardyNews implements ElectionListener {
        @Override
        public void onJeopardy(Term term) {
            look(term);
        }

        @Override
        public void onSafe(Term term) {
            look(term);
        }

        private void look(Term term) {
            strand.execute(() -> followers.look(term.election()));
        }
    }

    /** Lets alarms hear of marks that terms of this host met. */
    private final class MarkNews implements ElectionListener {
        @Override
        public void onMarkMet(ElectionName election, long term, SinkId sink, Mark met) {
            strand.execute(() -> alarmWatch.met(election, new MetMark(term, sink, met)));
        }
    }

    /** The bounds of owners. */
    public OwnersSetup owners() {
        return owners;
    }

    /** Runs that on the thread that owns the state. */
    void execute(Runnable work) {
        strand.execute(work);
    }

    /** What the coordinator lacks, as in "no answer"; empty where it lacks nothing, or this agent ends. Never fails. */
    public CompletionStage<Optional<String>> lack() {
        return drains ? CompletableFuture.completedStage(Optional.empty()) : readiness.lack();
    }

    boolean isDraining() {
        return drains;
    }

    /** A program asks to stand. */
    public void campaign(ElectionName election, Stander stander, Consumer<Reply> reply) {
        byte[] drawn = new byte[ID_BYTES];
        random.nextBytes(drawn);
        String id = HexFormat.of().formatHex(drawn);
        strand.execute(() -> {
            if (drains) {
                reply.accept(new Refused(id, Why.DRAINING));
            } else if (stander.watched() && !mayWatch()) {
                reply.accept(new Refused(id, Why.WATCHDOG));
            } else if (turnsOff(election) && stander.process().isEmpty()) {
                reply.accept(new Refused(id, Why.PROCESS));
            } else if (!held.containsKey(election) && !allowance.elections().tryAcquire()) {
                reply.accept(new Refused(id, Why.FULL));
            } else {
                held.computeIfAbsent(election, this::hold).stand(id, stander, reply);
            }
        });
    }

    /** Are former leaders of that election turned off before an owner of this host leads? */
    public boolean turnsOff(ElectionName election) {
        return setup.stonith().filter(one -> one.covers(election)).isPresent();
    }

    private boolean mayWatch() {
        return setup.watchdog().filter(one -> one.trouble().isEmpty()).isPresent();
    }

    /** The watchdog of this host. */
    public Optional<HostWatchdog> watchdog() {
        return setup.watchdog();
    }

    /** A heartbeat of an owner. */
    public void heartbeat(ElectionName election, Heartbeat beat, Consumer<Reply> reply) {
        beat.stopped().ifPresent(token -> stopped(beat.id(), OptionalLong.of(token)));
        strand.execute(() -> {
            int waiting =
                    held.values().stream().mapToInt(HeldElection::waitingCount).sum();
            find(election)
                    .ifPresentOrElse(
                            one -> one.heartbeat(beat, waiting < allowance.waiting(), reply),
                            () -> reply.accept(new Unknown(beat.id())));
        });
    }

    /** An owner leaves, and its work has stopped. */
    public void leave(ElectionName election, String id, Consumer<Reply> reply) {
        stopped(id, OptionalLong.empty());
        strand.execute(() -> find(election)
                .ifPresentOrElse(one -> one.ask(new OwnersEvent.Left(id), reply), () -> reply.accept(new Unknown(id))));
    }

    /** Perhaps one that only the watchdog knows: its agent was another one, or its term is over. */
    private void stopped(String id, OptionalLong token) {
        setup.watchdog().ifPresent(one -> one.stopped(id, token));
    }

    /** What this host has to do with an election. */
    public CompletionStage<LocalView> local(ElectionName election) {
        CompletableFuture<LocalView> view = new CompletableFuture<>();
        strand.execute(
                () -> view.complete(find(election).map(HostElections::view).orElse(LocalView.NOTHING)));
        return view;
    }

    private static LocalView view(HeldElection one) {
        return new LocalView(one.owners().stream().map(Owner::name).toList(), one.term());
    }

    /** The record and the candidates of an election, asked from the coordinator. */
    public CompletionStage<ElectionStatus> status(ElectionName election) {
        return questions.ask(() -> elections.admin(election.value()).status());
    }

    /** The records of some elections, asked from the coordinator at one go. */
    CompletionStage<Map<ElectionName, Reading>> records(Set<ElectionName> asked) {
        return questions.ask(() -> coordinator.read(asked));
    }

    /** The number of the last change of leader: twice the term, and one more once that term is over. */
    public static long index(ElectionStatus status) {
        return index(status.observed());
    }

    /** The same, of a record as it was told. */
    public static long index(ObservedRecord observed) {
        return Watching.index(observed);
    }

    /** Runs {@code then} once the index is another one, or the time is up. It must not block. */
    public void awaitOther(ElectionName election, long index, Duration patience, Runnable then) {
        strand.execute(() -> watching.await(election, index, patience, then));
    }

    /**
     * Tells the follower who leads, each change of leader, and how owners of this host lead, until it is unfollowed or the agent drains.
     *
     * @param seen the index of the last change of leader that the follower has seen: only what came later is told
     */
    public void follow(ElectionName election, OptionalLong seen, Follower follower) {
        strand.execute(() -> followers.add(election, seen, follower));
    }

    /** Tells the follower no more. */
    public void unfollow(ElectionName election, Follower follower) {
        strand.execute(() -> followers.remove(election, follower));
    }

    /** The alarms now. */
    public AlarmList alarms() {
        return alarms.list();
    }

    /** A writer of this host reports that a sink has refused its token. It is an alarm at the next look. */
    public void reportStale(ElectionName election, StaleWrite write) {
        strand.execute(() -> alarmWatch.report(election, write));
    }

    /** Has anybody ever stood in it, or written of it? */
    public CompletionStage<Boolean> isKnown(ElectionName election) {
        return status(election)
                .thenApply(status -> !status.observed().revision().equals(Revision.ABSENT)
                        || !status.candidates().isEmpty());
    }

    /** The actions of an operator of that name. */
    public ElectionAdmin operator(ElectionName election, String who) {
        return ElectionAdmin.over(coordinator, strand.timeline(), election, who);
    }

    /** The sinks of this agent. */
    public List<Sink> sinks() {
        return setup.sinks();
    }

    /** The names of the elections at the coordinator. */
    public CompletionStage<List<ElectionName>> names() {
        return questions.ask(() -> coordinator.elections(""));
    }

    private Optional<HeldElection> find(ElectionName election) {
        return Optional.ofNullable(held.get(election));
    }

    private HeldElection hold(ElectionName name) {
        Election plain = elections.election(name.value());
        Election guarded =
                setup.sinks().isEmpty() ? plain : plain.guarding(setup.sinks().toArray(new Sink[0]));
        Optional<HostStonith> stonith = setup.stonith().filter(one -> one.covers(name));
        return new HeldElection(
                stonith.map(one -> guarded.withStonith(one.how())).orElse(guarded),
                stonith.isPresent() ? owners.endingByWordAlone() : owners,
                strand,
                setup.watchdog().map(one -> new WatchdogOfTerms(one, name, strand)),
                () -> strand.execute(() -> changed(name)));
    }

    private void changed(ElectionName name) {
        followers.look(name);
        find(name).filter(HeldElection::isIdle).ifPresent(idle -> {
            held.remove(name);
            allowance.elections().release();
        });
        if (drains && held.values().stream().noneMatch(HeldElection::isStanding)) {
            quiet.complete(null);
        }
    }

    /**
     * Lets nobody stand any more and grants nothing more. Each term is given up once its owner has stopped or its sub-lease has passed. Owners are answered
     * meanwhile. Followers are told of the terms that end, and end. The stage completes when no term is left, after the longest sub-lease at the latest.
     */
    public CompletionStage<Void> drain() {
        drains = true;
        strand.execute(() -> {
            List.copyOf(held.keySet()).forEach(this::drain);
            followers.end();
            alarmWatch.end();
            if (held.values().stream().noneMatch(HeldElection::isStanding)) {
                quiet.complete(null);
            }
        });
        return quiet.minimalCompletionStage();
    }

    private void drain(ElectionName name) {
        find(name).ifPresent(HeldElection::drain);
        followers.look(name);
    }

    /** Drains, then leaves all elections and ends the session. Blocks until then. */
    @Override
    public void close() {
        close(Set.of(this));
    }

    /** Does so for several at once. Their threads end last, since owners are answered meanwhile. */
    static void close(Collection<HostElections> all) {
        CompletableFuture<?>[] quiet =
                all.stream().map(one -> one.drain().toCompletableFuture()).toArray(CompletableFuture<?>[]::new);
        Duration most = all.stream()
                .map(one -> one.setup.timing().lease())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO)
                .plus(GRACE);
        try {
            CompletableFuture.allOf(quiet).get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException late) {
            // The elections end what is left.
        }
        all.forEach(one -> {
            var unused = one.elections.closeAsync();
        });
        all.forEach(one -> one.elections.close());
        all.forEach(one -> one.strand.close());
    }
}
