package dev.incumbent;

import dev.incumbent.beats.BeatTransport;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorSource;
import dev.incumbent.coordinator.MissingClass;
import dev.incumbent.internal.Ears;
import dev.incumbent.internal.ElectionRuntime;
import dev.incumbent.internal.Listeners;
import dev.incumbent.internal.Log;
import dev.incumbent.internal.Ownership;
import dev.incumbent.internal.ProcessSetup;
import dev.incumbent.internal.TaskRules;
import dev.incumbent.internal.Threads;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * All elections of one process over one coordinator. They share one session, one lease and one driver thread; no user code runs on this thread.
 *
 * <pre>{@code
 * try (var elections = Elections.connect(coordinator).name("ledger-1").timing(Timing.ofLease(ofSeconds(15))).open();
 *         var candidacy = elections.election("billing/closer").guarding(sink).campaign(leadership -> {
 *             while (more()) ledger.append(next(), leadership.token());
 *         })) {
 *     awaitShutdown();
 * }
 * }</pre>
 *
 * <p>Here {@code coordinator} is a URI, such as {@code etcd://etcd1:2379/incumbent}. The {@code sink} is a store that the leader writes to, opened by {@link
 * dev.incumbent.fence.Sinks#open}; {@code guarding} makes each new leader raise its fence first.
 *
 * <p>Thread-safe. A leadership says that this process <em>may</em> act. Only a fence at the sink refuses a process that may no longer act.
 */
public final class Elections implements AutoCloseable {
    /** The name of the logger that all elections of a process write to. */
    public static final String LOGGER = "dev.incumbent.elections";

    private final ElectionRuntime runtime;
    private final Coordinator coordinator;
    private final Timeline clocks;
    private final Ownership owned;

    private Elections(ElectionRuntime runtime, Coordinator coordinator, Timeline clocks, Ownership owned) {
        this.runtime = runtime;
        this.coordinator = coordinator;
        this.clocks = clocks;
        this.owned = owned;
    }

    /** Elections over a coordinator that the caller has opened. The caller closes it after these elections. */
    public static Builder over(Coordinator coordinator) {
        return new Builder((clocks, requestTimeout) -> coordinator, false);
    }

    /**
     * Elections over the coordinator at a URI, such as {@code file:coordinator.db}, {@code etcd://etcd1:2379/incumbent} or {@code postgresql://app@db/app}: a
     * provider on the class path opens it, with the request timeout of the timing, and closing these elections closes it. {@link Builder#open()} does not wait
     * for a server that does not answer. It throws a {@link dev.incumbent.coordinator.CoordinatorUnusableException} if no provider knows the URI, or if the
     * store that the URI names cannot be used.
     */
    public static Builder connect(String uri) {
        return new Builder(
                (clocks, requestTimeout) ->
                        CoordinatorProvider.of(uri).open(uri, clocks, requestTimeout, CoordinatorProvider.Mode.CREATE),
                true);
    }

    /**
     * Elections over a coordinator that a source opens, such as {@code JdbcCoordinator.over(dataSource)}; closing these elections closes it. {@link
     * Builder#open()} throws what the source throws.
     */
    public static Builder connect(CoordinatorSource source) {
        return new Builder(source, true);
    }

    /** This process as a candidate. Its id names this one start of the process and is never used again. */
    public Candidate candidate() {
        return runtime.candidate();
    }

    /** An election by its name, such as {@code billing/closer}; {@link ElectionName} says which names are allowed. */
    public Election election(String name) {
        return runtime.election(new ElectionName(name));
    }

    /** The operator's actions on an election: freeze, transfer and others. They are recorded under the id of this process, which need not be a candidate there. */
    public ElectionAdmin admin(String name) {
        return ElectionAdmin.over(
                coordinator,
                clocks,
                new ElectionName(name),
                runtime.candidate().id().value());
    }

    /**
     * Closes every candidacy, then ends the session. The result is the set of terms whose tasks still run; it is empty if all tasks have returned. The stage
     * completes when nothing is left to do, at the latest when the stop budget and the time of a few requests have passed, and that of a fence agent that works ({@link Stonith#bound}). If a task that guards no sink still
     * runs then, the lease is not revoked. It is only renewed no more, so that no other process leads before it has run out. A second call has the same result.
     */
    public CompletionStage<Set<Term>> closeAsync() {
        return owned.closedAfter(runtime.closeAsync());
    }

    /**
     * Calls {@link #closeAsync()} and waits for it, except if a listener or a task calls this method. An interrupt ends the wait and nothing else; the thread
     * stays interrupted. If the caller owns the coordinator, the caller may close it afterwards.
     */
    @Override
    public void close() {
        runtime.await(closeAsync());
    }

    /** The settings of elections. All of them have defaults. */
    public static final class Builder {
        private static final Duration LEASE = Duration.ofSeconds(15);
        private static final SecureRandom RANDOM = new SecureRandom();
        private static final int UNUSED_BITS = 16;
        private static final Path KERNEL_HOSTNAME = Path.of("/proc/sys/kernel/hostname");

        private final CoordinatorSource source;
        private final boolean isOwner;
        private Optional<String> name = Optional.empty();
        private String address = "";
        private CandidateRank rank = CandidateRank.PLAIN;
        private boolean spreads;
        private Timing timing = Timing.ofLease(LEASE);
        private Optional<Duration> movesAfter = Optional.empty();
        private Optional<Timeline> timeline = Optional.empty();
        private Trace trace = Trace.NONE;
        private final List<ElectionListener> listeners = new ArrayList<>();
        private boolean isQuiet;
        private TaskRules tasks = TaskRules.DEFAULT;
        private Optional<BeatTransport.Source> beats = Optional.empty();

        private Builder(CoordinatorSource source, boolean isOwner) {
            this.source = source;
            this.isOwner = isOwner;
        }

        /** The name by which people and {@code incumbent transfer --to} know this candidate. The default is the host's name. */
        public Builder name(String candidateName) {
            name = Optional.of(candidateName);
            return this;
        }

        /** The address at which clients find this candidate while it leads. */
        public Builder address(String clientAddress) {
            address = clientAddress;
            return this;
        }

        /**
         * Whoever has the greater priority claims a vacancy first; among equals, whoever stands longer. The default is 0; it is from -1000 to 1000. It only delays: a leader of a smaller
         * one leads on, unless it {@linkplain #movesToBetter moves to the better}, and somebody leads wherever a candidate stands who is well. {@link dev.incumbent.model.Turns} tells the whole order.
         */
        public Builder priority(int greatestFirst) {
            rank = rank.withPriority(greatestFirst);
            return this;
        }

        /**
         * The version of the program, such as {@code 1.4.2}: of equal priority, the newest claims first, as semantic versioning orders them. Where all candidates that tell a version want
         * {@link #oldestFirst()}, the oldest does. By default none is told, which counts as the oldest.
         */
        public Builder version(String told) {
            rank = rank.withVersion(told);
            return this;
        }

        /** The oldest version claims first, if all candidates that tell one want that: so a new version leads only where no other stands. */
        public Builder oldestFirst() {
            rank = rank.withOldestFirst(true);
            return this;
        }

        /** Where this process runs, such as {@code eu-1}. By itself it decides nothing. */
        public Builder zone(String told) {
            rank = rank.withZone(told);
            return this;
        }

        /** Of equal priority and version, whoever names a preferred zone and runs in another one claims after the others. Tell all candidates the same. */
        public Builder preferredZone(String named) {
            rank = rank.withPreferredZone(named);
            return this;
        }

        /** All that decides the order of candidates at once. */
        public Builder rank(CandidateRank whole) {
            rank = whole;
            return this;
        }

        /**
         * While this process leads, it looks once a lease whether a candidate of a better rank stands, and hands over to it: not before its term has lasted that long, which is at least a
         * lease and at most 366 days, and once for each change of who stands, of ranks and of cordons. Tell all candidates of an election the same: a successor notes that the move lasted
         * only if it moves, too. A transfer by an operator or by {@link Candidacy#transferTo} is not undone while nothing changes. By default a leader leads on, whatever comes. Who merely stands longer is not better.
         */
        public Builder movesToBetter(Duration minimumTenure) {
            movesAfter = Optional.of(minimumTenure);
            return this;
        }

        /**
         * This process tells how many elections it leads, about, and so of equal rank and position whoever leads fewer claims first. It is for a process with many elections, and for all
         * processes that stand in them. It only delays, moves no leader, and costs a write for each candidacy where the number changes, once in a third of a lease at most.
         */
        public Builder spread() {
            spreads = true;
            return this;
        }

        /** The lease and the durations that follow from it. The default is a lease of 15 seconds. */
        public Builder timing(Timing chosen) {
            timing = chosen;
            return this;
        }

        /** The clocks and alarms, for tests that move the time. By default they are the system's, and a separate thread stops tasks. */
        public Builder timeline(Timeline clocks) {
            timeline = Optional.of(clocks);
            return this;
        }

        /**
         * Runs tasks on this executor. By default each task has a thread of its own, a virtual one from Java 24 on. The executor may block the thread that
         * calls it. If the executor refuses a task, or runs it on the calling thread, the term ends as failed. The executor needs one thread for each election
         * that this process may lead: while a task waits for a thread, this process leads and does nothing.
         */
        public Builder executor(Executor executor) {
            tasks = tasks.on(executor);
            return this;
        }

        /**
         * Hears leaders, and is heard while it leads, by connections beside the coordinator. A leader that is gone is then preempted before its lease ends, in elections
         * that guard sinks: its writes are refused from then on. By default only the end of its lease tells that a leader is gone.
         */
        public Builder beats(BeatTransport.Source connections) {
            beats = Optional.of(connections);
            return this;
        }

        /** A listener for every step of the state machines, in order, for tests and for the search for faults. The default is none. */
        public Builder trace(Trace listener) {
            trace = listener;
            return this;
        }

        /**
         * Adds a listener, which is told each change that a person would ask about, for metrics and alarms. Listeners are called after the log and in the order
         * in which they were added.
         */
        public Builder listener(ElectionListener hears) {
            listeners.add(hears);
            return this;
        }

        /** Turns off the log, which otherwise goes to the {@link System.Logger} {@value Elections#LOGGER}. Listeners are still called. */
        public Builder quiet() {
            isQuiet = true;
            return this;
        }

        /**
         * Keeps the lease while a task does not stop, if this task guards no sink: no other process leads before the task has returned, unless the lease is
         * lost. By default such a task ends the session, and with it all terms of this process, so that another process leads at most one lease later.
         */
        public Builder keepWhileTaskRuns() {
            tasks = tasks.keepingTheLease();
            return this;
        }

        /**
         * Takes this last resort where a task has not returned within the stop budget after it was told to stop, such as {@link LastResort#halt}: then the process ends before another leads,
         * whatever its task does. By default such a task goes on; a fence refuses what it writes, where there is one.
         */
        public Builder lastResort(LastResort resort) {
            tasks = tasks.with(resort);
            return this;
        }

        /** Opens the coordinator, if it comes from a URI or a source, and begins the session. Does not wait for a lease. */
        public Elections open() {
            String host = host(KERNEL_HOSTNAME);
            String known = name.orElse(host);
            long pid = ProcessHandle.current().pid();
            CandidateId id = CandidateId.of(known, host, pid, "%012x".formatted(RANDOM.nextLong() >>> UNUSED_BITS));
            Candidate me = new Candidate(id, known, address).withRank(rank);
            if (timeline.isPresent()) {
                return open(me, new Threads(timeline.get(), timeline.get(), tasks, beats, () -> {}));
            }
            SystemTimeline own = new SystemTimeline();
            SystemTimeline stops = new SystemTimeline("incumbent-stops");
            return open(me, new Threads(own, stops, tasks, beats, () -> {
                own.close();
                stops.close();
            }));
        }

        private Elections open(Candidate me, Threads threads) {
            Coordinator coordinator = coordinator(threads);
            ElectionRuntime runtime = started(coordinator, me, threads);
            Ownership owned = isOwner ? new Ownership(coordinator::close) : Ownership.NONE;
            return new Elections(runtime, coordinator, threads.timeline(), owned);
        }

        /** Where the connections for beats cannot be opened, nothing stays that was. */
        private ElectionRuntime started(Coordinator coordinator, Candidate me, Threads threads) {
            try {
                return ElectionRuntime.start(
                        coordinator, new ProcessSetup(me, timing, movesAfter, spreads), threads, ears());
            } catch (RuntimeException unopened) {
                if (isOwner) {
                    coordinator.close();
                }
                threads.close();
                throw unopened;
            }
        }

        /** Who hears what happens. */
        Ears ears() {
            List<ElectionListener> all = new ArrayList<>(listeners);
            if (!isQuiet) {
                all.add(0, new Log(System.getLogger(LOGGER)));
            }
            return new Ears(trace, all.isEmpty() ? ElectionListener.NONE : new Listeners(List.copyOf(all)));
        }

        private Coordinator coordinator(Threads threads) {
            try {
                return source.open(threads.timeline(), timing.requestTimeout());
            } catch (RuntimeException unopened) {
                threads.close();
                throw unopened;
            } catch (LinkageError missing) {
                threads.close();
                throw MissingClass.behind(missing).orElseThrow();
            }
        }

        /** The host's name as the kernel has it, if it has one, because a name service may be slow. */
        static String host(Path kernelHostname) {
            try {
                return Files.readString(kernelHostname).strip();
            } catch (IOException noSuchKernel) {
                return hostByName();
            }
        }

        private static String hostByName() {
            try {
                return InetAddress.getLocalHost().getHostName();
            } catch (UnknownHostException e) {
                return "localhost";
            }
        }
    }
}
