package dev.incumbent;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.coordinator.CoordinatorSource;
import dev.incumbent.internal.Ears;
import dev.incumbent.internal.ElectionRuntime;
import dev.incumbent.internal.Listeners;
import dev.incumbent.internal.Log;
import dev.incumbent.internal.Ownership;
import dev.incumbent.internal.Threads;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
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
 * <p>Here {@code coordinator} is a URI, such as {@code etcd://etcd1:2379/incumbent}.
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

    /** Elections over a coordinator, which the caller closes afterwards. */
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

    /** This incarnation of this process. */
    public Candidate candidate() {
        return runtime.candidate();
    }

    /** An election by its name. */
    public Election election(String name) {
        return runtime.election(new ElectionName(name));
    }

    /** The operator's actions on that election, done in this candidate's name. This process need not be a candidate of that election. */
    public ElectionAdmin admin(String name) {
        return ElectionAdmin.over(
                coordinator,
                clocks,
                new ElectionName(name),
                runtime.candidate().id().value());
    }

    /**
     * Closes every candidacy, then ends the session. The result is the set of terms whose tasks still run; it is empty if all tasks have returned. The stage
     * completes when nothing is left to do, at the latest when the stop budget and the time of a few requests have passed. While a task without a fence still
     * runs, the lease is not revoked: its keep-alives stop and it runs out, so no successor begins earlier. A second call has the same result.
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

    /** The settings of elections; only the coordinator is required. */
    public static final class Builder {
        private static final Duration LEASE = Duration.ofSeconds(15);
        private static final SecureRandom RANDOM = new SecureRandom();
        private static final int UNUSED_BITS = 16;
        private static final Path KERNEL_HOSTNAME = Path.of("/proc/sys/kernel/hostname");

        private final CoordinatorSource source;
        private final boolean isOwner;
        private Optional<String> name = Optional.empty();
        private String address = "";
        private Timing timing = Timing.ofLease(LEASE);
        private Optional<Timeline> timeline = Optional.empty();
        private Trace trace = Trace.NONE;
        private final List<ElectionListener> listeners = new ArrayList<>();
        private boolean isQuiet;
        private boolean keepsStalled;
        private Optional<Executor> executor = Optional.empty();

        private Builder(CoordinatorSource source, boolean isOwner) {
            this.source = source;
            this.isOwner = isOwner;
        }

        /** The name by which people know this candidate. The default is the host's name. */
        public Builder name(String candidateName) {
            name = Optional.of(candidateName);
            return this;
        }

        /** The address at which clients find this candidate while it leads. */
        public Builder address(String clientAddress) {
            address = clientAddress;
            return this;
        }

        /** The lease and the durations that follow from it. The default is a lease of 15 seconds. */
        public Builder timing(Timing chosen) {
            timing = chosen;
            return this;
        }

        /** The clocks and alarms. The default is the system's; tasks are then stopped by a thread of their own. */
        public Builder timeline(Timeline clocks) {
            timeline = Optional.of(clocks);
            return this;
        }

        /**
         * Runs tasks on this executor. By default each task has a thread of its own, a virtual one from Java 24 on. The executor may block the thread that
         * calls it. If the executor refuses a task, or runs it on the calling thread, the term ends as failed. The executor needs one thread for each election
         * that this process may lead: while a task waits for a thread, this process leads and does nothing.
         */
        public Builder executor(Executor tasks) {
            executor = Optional.of(tasks);
            return this;
        }

        /** A listener for everything that happens, in order, for tests and for the search for faults. The default is none. */
        public Builder trace(Trace listener) {
            trace = listener;
            return this;
        }

        /**
         * Adds a listener, which is told each change that a person would ask about. Listeners are called after the log and in the order in which they were
         * added.
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
         * Keeps the lease while a task does not stop and no sink refuses what the task still writes: nobody else leads before the task has returned, unless the
         * lease is lost. By default such a task ends the whole session, so that another process leads one lease later.
         */
        public Builder keepWhileTaskRuns() {
            keepsStalled = true;
            return this;
        }

        /** Opens the coordinator, if it comes from a URI or a source, and begins the session. */
        public Elections open() {
            String host = host(KERNEL_HOSTNAME);
            String known = name.orElse(host);
            long pid = ProcessHandle.current().pid();
            CandidateId id = CandidateId.of(known, host, pid, "%012x".formatted(RANDOM.nextLong() >>> UNUSED_BITS));
            Candidate me = new Candidate(id, known, address);
            if (timeline.isPresent()) {
                return open(me, new Threads(timeline.get(), timeline.get(), executor, () -> {}));
            }
            SystemTimeline own = new SystemTimeline();
            SystemTimeline stops = new SystemTimeline("incumbent-stops");
            return open(me, new Threads(own, stops, executor, () -> {
                own.close();
                stops.close();
            }));
        }

        private Elections open(Candidate me, Threads threads) {
            Coordinator coordinator = coordinator(threads);
            ElectionRuntime runtime = ElectionRuntime.start(coordinator, me, timing, threads, ears());
            if (keepsStalled) {
                runtime.keepWhileTasksRun();
            }
            Ownership owned = isOwner ? new Ownership(coordinator::close) : Ownership.NONE;
            return new Elections(runtime, coordinator, threads.timeline(), owned);
        }

        private Ears ears() {
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
            }
        }

        /** The kernel's word where there is one: a name service may let us wait. */
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
