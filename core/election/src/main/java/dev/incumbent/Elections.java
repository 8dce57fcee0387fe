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
 * All elections of one process over one coordinator: one session, one lease, one driver thread, on which no user code runs.
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
 * <p>Thread-safe. Holding a leadership says who <em>may</em> act; only a fence at the sink refuses who may not any more.
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
     * provider on the class path opens it, with the request timeout of the timing, and closing these elections closes it. Does not wait for a server that does not
     * answer. Throws a {@link dev.incumbent.coordinator.CoordinatorUnusableException} from {@link Builder#open()} where no provider knows the URI, or what it names
     * cannot be used.
     */
    public static Builder connect(String uri) {
        return new Builder(
                (clocks, requestTimeout) ->
                        CoordinatorProvider.of(uri).open(uri, clocks, requestTimeout, CoordinatorProvider.Mode.CREATE),
                true);
    }

    /**
     * Elections over a coordinator that a source opens, such as {@code JdbcCoordinator.over(dataSource)}; closing these elections closes it. What the source throws,
     * {@link Builder#open()} throws.
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

    /** Who looks after that election in this candidate's name, whether it stands there or not. */
    public ElectionAdmin admin(String name) {
        return ElectionAdmin.over(
                coordinator,
                clocks,
                new ElectionName(name),
                runtime.candidate().id().value());
    }

    /**
     * Closes every candidacy, then ends the session. Completes once nothing is left, or once the stop budget and a few requests have passed: with the terms whose
     * tasks still run, none where all have returned. While a task runs that nothing fences, the lease is not revoked: keep-alives stop and it lapses, so that no
     * successor begins before. Asked again it tells the same.
     */
    public CompletionStage<Set<Term>> closeAsync() {
        return owned.closedAfter(runtime.closeAsync());
    }

    /**
     * {@link #closeAsync()}, and waits for it. Called by a listener or a task it does not wait; an interrupt ends the wait alone, and stays set. A coordinator that
     * is the caller's may be closed afterwards: leases outlive it.
     */
    @Override
    public void close() {
        runtime.await(closeAsync());
    }

    /** What elections need to begin; only the coordinator is required. */
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
        private Optional<Executor> executor = Optional.empty();

        private Builder(CoordinatorSource source, boolean isOwner) {
            this.source = source;
            this.isOwner = isOwner;
        }

        /** The name people know this candidate by; the host's where none is given. */
        public Builder name(String candidateName) {
            name = Optional.of(candidateName);
            return this;
        }

        /** Where clients find it while it leads. */
        public Builder address(String clientAddress) {
            address = clientAddress;
            return this;
        }

        public Builder timing(Timing chosen) {
            timing = chosen;
            return this;
        }

        /** The clocks; the system's where none is given, and then tasks are stopped by alarms of their own thread. */
        public Builder timeline(Timeline clocks) {
            timeline = Optional.of(clocks);
            return this;
        }

        /**
         * Runs tasks on this executor; on a thread each where none is given, virtual from Java 24 on. It is called on a thread that it may block. Where it refuses a
         * task, or runs it on the thread that submits it, the term ends as failed. Give it a thread for each election that may be led: a task that waits for a
         * thread leads, and does nothing.
         */
        public Builder executor(Executor tasks) {
            executor = Optional.of(tasks);
            return this;
        }

        public Builder trace(Trace listener) {
            trace = listener;
            return this;
        }

        /** Hears each change that a person would ask about; beside the log, and after those that were given before. */
        public Builder listener(ElectionListener hears) {
            listeners.add(hears);
            return this;
        }

        /** Writes no log; it goes to the {@link System.Logger} {@value Elections#LOGGER} otherwise. Listeners hear all the same. */
        public Builder quiet() {
            isQuiet = true;
            return this;
        }

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
