package dev.incumbent.agent.elections;

import dev.incumbent.ElectionListener;
import dev.incumbent.agent.alarms.AlarmListener;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The elections of this host at all its coordinators. Each coordinator has a session and a thread of its own here, so that one that stands still delays nobody who asks for
 * an election of another.
 *
 * <p>Thread-safe; only {@link #lives} and {@link #close} block.
 */
public final class ElectionRouter implements AutoCloseable {
    private final PrefixMap<HostElections> map;
    private final Optional<HostWatchdog> watchdog;

    private ElectionRouter(PrefixMap<HostElections> map, Optional<HostWatchdog> watchdog) {
        this.map = map;
        this.watchdog = watchdog;
    }

    /**
     * Begins a session at each coordinator, and waits for no lease.
     *
     * @param listeners makes the listener of a coordinator by its {@link PrefixMap#name name}
     */
    public static ElectionRouter open(HostSetup setup, Function<Optional<String>, ElectionListener> listeners) {
        return open(setup, listeners, which -> List.of());
    }

    /**
     * The same.
     *
     * @param alarms makes those that hear of the alarms at a coordinator by its name; they are called by the thread that owns its state
     */
    public static ElectionRouter open(
            HostSetup setup,
            Function<Optional<String>, ElectionListener> listeners,
            Function<Optional<String>, List<AlarmListener>> alarms) {
        PrefixMap<Coordinator> coordinators = setup.coordinators();
        Allowance allowance = Allowance.among(coordinators.all().size());
        List<HostElections> opened = new ArrayList<>();
        try {
            return new ElectionRouter(
                    coordinators.map(coordinator -> {
                        Optional<String> name = coordinators.name(coordinator);
                        List<ElectionListener> hearing = new ArrayList<>(List.of(listeners.apply(name)));
                        name.map(OutageLog::new).ifPresent(hearing::add);
                        HostElections one = HostElections.open(
                                setup, coordinator, new HostElections.Hearers(hearing, alarms.apply(name)), allowance);
                        opened.add(one);
                        return one;
                    }),
                    setup.watchdog());
        } catch (RuntimeException unopened) {
            HostElections.close(opened);
            throw unopened;
        }
    }

    /** Those at whose coordinator an election is decided. */
    public HostElections of(ElectionName election) {
        return map.of(election);
    }

    /** The watchdog that guards the work of owners who ask for it. */
    public Optional<HostWatchdog> watchdog() {
        return watchdog;
    }

    /** Those at all coordinators. */
    public Set<HostElections> all() {
        return map.all();
    }

    /** Those at the coordinators that decide elections beneath that prefix. */
    public Set<HostElections> beneath(Prefix prefix) {
        return map.beneath(prefix);
    }

    /** What people know those at one coordinator by: its prefixes. Empty where there is but one coordinator. */
    public Optional<String> name(HostElections one) {
        return map.name(one);
    }

    /** The names of the elections at some of the coordinators; not of what lies at one of them, and belongs to another. Fails where one does not answer. */
    public CompletionStage<List<ElectionName>> names(Collection<HostElections> asked) {
        CompletableFuture<List<ElectionName>> all = CompletableFuture.completedFuture(List.of());
        for (HostElections one : asked) {
            all = all.thenCombine(namesOf(one), ElectionRouter::joined);
        }
        return all;
    }

    private CompletionStage<List<ElectionName>> namesOf(HostElections one) {
        return one.names().handle((names, failure) -> {
            if (failure != null) {
                throw named(one, failure);
            }
            return names.stream().filter(name -> of(name).equals(one)).toList();
        });
    }

    /** The records of some elections. Those of a coordinator that does not answer are unread, and say why. */
    public CompletionStage<Map<ElectionName, Reading>> records(Set<ElectionName> asked) {
        CompletableFuture<Map<ElectionName, Reading>> all = CompletableFuture.completedFuture(Map.of());
        Map<HostElections, Set<ElectionName>> whose =
                asked.stream().collect(Collectors.groupingBy(this::of, Collectors.toSet()));
        for (Map.Entry<HostElections, Set<ElectionName>> one : whose.entrySet()) {
            all = all.thenCombine(recordsOf(one.getKey(), one.getValue()), ElectionRouter::merged);
        }
        return all;
    }

    private CompletionStage<Map<ElectionName, Reading>> recordsOf(HostElections one, Set<ElectionName> asked) {
        return one.records(asked)
                .handle((readings, failure) -> failure == null ? readings : unread(one, asked, failure));
    }

    /** Fails where it was not the coordinator that failed. */
    private Map<ElectionName, Reading> unread(HostElections one, Set<ElectionName> asked, Throwable failure) {
        if (!(cause(failure) instanceof CoordinatorException e)) {
            throw new CompletionException(cause(failure));
        }
        String whose = map.name(one).map(name -> " of " + name).orElse("");
        Reading unread = new Reading.Unread("the coordinator" + whose + " did not answer: " + e.getMessage());
        return asked.stream().collect(Collectors.toMap(name -> name, name -> unread));
    }

    private static Throwable cause(Throwable failure) {
        Throwable inner = failure.getCause();
        return failure instanceof CompletionException && inner != null ? inner : failure;
    }

    /** The failure, with the name of the coordinator whose it is. */
    private RuntimeException named(HostElections one, Throwable failure) {
        Throwable cause = cause(failure);
        Optional<String> name = map.name(one);
        return cause instanceof CoordinatorException e && name.isPresent()
                ? new CoordinatorException("the one of " + name.get() + ": " + e.getMessage(), e.mayHaveApplied(), e)
                : new CompletionException(cause);
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        List<T> joined = new ArrayList<>(some);
        joined.addAll(more);
        return joined;
    }

    private static Map<ElectionName, Reading> merged(Map<ElectionName, Reading> some, Map<ElectionName, Reading> more) {
        Map<ElectionName, Reading> merged = new TreeMap<>(some);
        merged.putAll(more);
        return merged;
    }

    /** Why this agent is not ready: it ends, or a coordinator does not answer or gives no lease. Empty if it is. Never fails. */
    public CompletionStage<Optional<String>> unready() {
        CompletableFuture<List<String>> lacks = CompletableFuture.completedFuture(List.of());
        for (HostElections one : all()) {
            String whom =
                    "the coordinator" + map.name(one).map(name -> " of " + name).orElse("");
            lacks = lacks.thenCombine(
                    one.lack(),
                    (before, lack) -> lack.map(what -> joined(before, List.of(what + " from " + whom)))
                            .orElse(before));
        }
        return lacks.thenApply(this::why);
    }

    private Optional<String> why(List<String> lacks) {
        if (all().stream().anyMatch(HostElections::isDraining)) {
            return Optional.of("it is about to end");
        }
        return lacks.isEmpty() ? Optional.empty() : Optional.of(String.join(", and ", lacks));
    }

    /** Does each thread that owns state take another turn within that time? Blocks for that long at most. */
    public boolean lives(Duration within) {
        CountDownLatch turns = new CountDownLatch(all().size());
        all().forEach(one -> one.execute(turns::countDown));
        try {
            return turns.await(within.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Drains all of them at once, then leaves all elections, ends the sessions, and lets go of the watchdog. Blocks until then. */
    @Override
    public void close() {
        HostElections.close(all());
        watchdog.ifPresent(HostWatchdog::close);
    }
}
