package dev.incumbent.internal;

import dev.incumbent.Election;
import dev.incumbent.ElectionListener;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Timing;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** The shipped driver of one process over the store in memory, in virtual time; each kind of call may be made to fail, or never to be answered. */
final class OneProcess {
    /** A task has less time to stop than there is from its interrupt to the end of validity: a third of the lease. */
    static final Timing TIMING = Timing.ofLease(
            Duration.ofSeconds(8), Duration.ofSeconds(8).dividedBy(3).minusMillis(600), Duration.ofMillis(600));

    static final Duration CALL = TIMING.requestTimeout();
    static final Supplier<CompletionStage<?>> UNANSWERED = () -> new CompletableFuture<Void>();

    final OneThread platform;
    final List<String> calls = new ArrayList<>();
    final List<Set<?>> reads = new ArrayList<>();
    /** What is answered instead, by the name of the call. */
    final Map<String, Supplier<CompletionStage<?>>> answers = new LinkedHashMap<>();

    /** Where the test tells what is watched: the watch that is handed out. */
    Optional<Watch> watch = Optional.empty();

    /** Happens while that watch is asked for. */
    Runnable whileAskedToWatch = () -> {};

    /** Those who watch then. */
    final List<Watcher> watchers = new ArrayList<>();

    final ElectionRuntime runtime;

    /** A process of that name over that store. */
    OneProcess(OneThread platform, MemoryStore store, String name, Trace trace) {
        this(platform, store, name, new Ears(trace, ElectionListener.NONE));
    }

    OneProcess(OneThread platform, MemoryStore store, String name, Ears ears) {
        this(platform, store, new ProcessSetup(new Candidate(new CandidateId(name), name, ""), TIMING), ears);
    }

    OneProcess(OneThread platform, MemoryStore store, ProcessSetup setup, Ears ears) {
        this.platform = platform;
        Coordinator whole = MemoryCoordinator.connect(store, platform.time, CALL);
        this.runtime = ElectionRuntime.start(wrapped(whole), setup, platform, ears);
    }

    static Supplier<CompletionStage<?>> failing(String why, boolean mayHaveApplied) {
        return () -> CompletableFuture.failedFuture(new CoordinatorException(why, mayHaveApplied));
    }

    Election election(String name) {
        return runtime.election(new ElectionName(name));
    }

    long callsOf(String call) {
        return calls.stream().filter(call::equals).count();
    }

    /** The task that it began last, which has begun by now. */
    Leadership led() {
        platform.pass(Duration.ofMillis(5));
        return platform.task().leadership;
    }

    private Coordinator wrapped(Coordinator whole) {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(), new Class<?>[] {Coordinator.class}, (proxy, method, arguments) -> {
                    calls.add(method.getName());
                    if (method.getName().equals("read")) {
                        reads.add((Set<?>) arguments[0]);
                    }
                    Supplier<CompletionStage<?>> instead = answers.get(method.getName());
                    if (instead != null) {
                        return instead.get();
                    }
                    if (method.getName().equals("watch") && watch.isPresent()) {
                        watchers.add((Watcher) arguments[1]);
                        whileAskedToWatch.run();
                        return watch.get();
                    }
                    try {
                        return method.invoke(whole, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
