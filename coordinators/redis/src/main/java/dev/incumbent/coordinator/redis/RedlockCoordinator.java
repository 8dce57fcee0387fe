package dev.incumbent.coordinator.redis;

import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.RecordJson;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.UnreadableRecordException;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * A coordinator over several Redis masters that know nothing of each other: leases as Redlock's, on a majority; records as registers of {@link Registers}. Exact as
 * long as no master forgets what it acknowledged, and best effort since a master may, and since its leases are judged by several wall clocks.
 *
 * <p>Three threads a master at most, each with a connection: for calls, for leases, and while somebody watches to poll, so that none waits behind another's.
 */
final class RedlockCoordinator implements Coordinator {
    private static final Duration POLL = Duration.ofMillis(250);

    static final Capabilities CAPABILITIES = new Capabilities(
            RedisCoordinator.LEASE_FLOOR,
            Duration.ofMillis(1),
            Duration.ofMillis(500),
            false,
            true,
            Capabilities.ExpiryClock.SERVER_WALL,
            Capabilities.Consistency.BEST_EFFORT);

    private final RedisUri uri;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Mode mode;
    private final Masters calls;
    private final Masters leaseCalls;
    private final Masters looks;
    private final View forCalls;
    private final View forLooks;
    private final Registers registers;
    private final MajorityLeases leases;
    private final MajorityLists lists;
    private final Poller poller;
    private final Keys keys;

    RedlockCoordinator(RedisUri uri, Timeline timeline, Duration requestTimeout, Mode mode) {
        this.uri = uri;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.mode = mode;
        this.keys = new Keys(uri.prefix());
        this.calls = new Masters("calls", uri.servers(), timeline, requestTimeout);
        this.leaseCalls = new Masters("leases", uri.servers(), timeline, requestTimeout);
        this.looks = new Masters("looks", uri.servers(), timeline, requestTimeout);
        this.registers = new Registers(calls, keys, timeline);
        this.leases = new MajorityLeases(leaseCalls, keys);
        this.lists = new MajorityLists(registers, leases);
        this.forCalls = new View(registers, leases, timeline, requestTimeout);
        this.forLooks = new View(
                new Registers(looks, keys, timeline), new MajorityLeases(looks, keys), timeline, requestTimeout);
        this.poller = new Poller(new Looks(), timeline);
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        Duration length =
                timeToLive.compareTo(RedisCoordinator.LEASE_FLOOR) < 0 ? RedisCoordinator.LEASE_FLOOR : timeToLive;
        return write(() -> leases.grant(owner, length, deadline()));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return write(() -> leases.keepAlive(lease, deadline())).thenApply(alive -> RedisCoordinator.done());
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return write(() -> leases.revoke(lease, deadline())).thenApply(dead -> RedisCoordinator.done());
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        List<ElectionName> asked = List.copyOf(new TreeSet<>(elections));
        return forCalls.states(asked).thenApply(answers -> Chunks.readings(asked, answers));
    }

    /** Registers and leases, as asked for over some lanes. */
    private record View(Registers registers, MajorityLeases leases, Timeline timeline, Duration requestTimeout) {
        CompletableFuture<Chunks.Answers<Seen>> states(List<ElectionName> elections) {
            long deadline = timeline.nanos() + requestTimeout.toNanos();
            return Chunks.ask(elections, RedisCoordinator.CHUNK, chunk -> chunk(chunk, deadline));
        }

        /** First the records, then the leases. */
        private CompletableFuture<Map<ElectionName, Seen>> chunk(List<ElectionName> chunk, long deadlineNanos) {
            List<String> names = chunk.stream().map(RedlockCoordinator::record).toList();
            return registers.read(names, deadlineNanos).thenCompose(found -> {
                Set<LeaseId> named = new TreeSet<>();
                found.values().forEach(version -> leaseOf(version).ifPresent(named::add));
                return leases.look(List.copyOf(named), deadlineNanos).thenApply(looked -> {
                    Map<ElectionName, Seen> states = new HashMap<>();
                    for (ElectionName election : chunk) {
                        Optional.ofNullable(found.get(record(election)))
                                .ifPresent(version -> states.put(election, seen(version, looked)));
                    }
                    return states;
                });
            });
        }
    }

    private static String record(ElectionName election) {
        return "e:" + election;
    }

    private static Optional<LeaseId> leaseOf(Version version) {
        try {
            return version.isAbsent()
                    ? Optional.empty()
                    : RecordJson.read(version.body()).lease();
        } catch (UnreadableRecordException toldAsSuch) {
            return Optional.empty();
        }
    }

    private static Seen seen(Version version, Map<LeaseId, Seen.Lease> looked) {
        return Seen.of(
                version.ballot().counter(),
                version.nonce(),
                version.body(),
                lease -> looked.getOrDefault(lease, Seen.Lease.DEAD));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        long deadline = deadline();
        return write(() -> registers
                .swap(record(election), expected.value(), next.nonce(), RecordJson.write(next), deadline)
                .thenCompose(outcome -> outcome.isChanged()
                        ? CompletableFuture.completedFuture(new Swap.Accepted(new Revision(next.nonce())))
                        : refused(outcome.current(), deadline)));
    }

    /** Where its lease cannot be told any more, the refusal is told without the record. */
    private CompletableFuture<Swap> refused(Version current, long deadlineNanos) {
        return leases.look(leaseOf(current).stream().toList(), deadlineNanos).handle((looked, failure) -> {
            Optional<ObservedRecord> state =
                    failure == null ? seen(current, looked).state() : Optional.empty();
            return new Swap.Refused(state);
        });
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return poller.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return write(() -> lists.enlist(election, candidate, deadline())).thenApply(done -> RedisCoordinator.done());
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return write(() -> lists.withdraw(election, candidate, deadline())).thenApply(done -> RedisCoordinator.done());
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return Chunks.ask(
                        List.copyOf(new TreeSet<>(elections)),
                        RedisCoordinator.CHUNK,
                        chunk -> lists.read(chunk, deadline()))
                .thenApply(Chunks.Answers::orFailure);
    }

    /** A register that was chosen is known to a majority, and so to one of those that answer. */
    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        List<String> ranges = new java.util.ArrayList<>(Keys.ranges("e:", prefix));
        ranges.addAll(Keys.ranges("c:", prefix));
        Request names = Request.reading(Script.NAMES, List.of(keys.nothing(), keys.registers()), ranges);
        return calls.ask(names, Reply::texts, deadline(), said -> {
                    Set<String> all = new TreeSet<>();
                    said.forEach(all::addAll);
                    return Optional.of(all);
                })
                .thenCompose(this::existing);
    }

    private CompletionStage<List<ElectionName>> existing(Set<String> registersFound) {
        Set<ElectionName> withRecord = names("e:", registersFound);
        Set<ElectionName> withList = names("c:", registersFound);
        return forCalls.states(List.copyOf(withRecord)).thenCombine(candidates(withList), (records, candidates) -> {
            Set<ElectionName> existing = new TreeSet<>();
            records.orFailure().forEach((election, seen) -> {
                if (!seen.nonce().isEmpty()) {
                    existing.add(election);
                }
            });
            candidates.forEach((election, list) -> {
                if (!list.isEmpty()) {
                    existing.add(election);
                }
            });
            return List.copyOf(existing);
        });
    }

    private static Set<ElectionName> names(String kind, Set<String> registersFound) {
        Set<ElectionName> names = new TreeSet<>();
        registersFound.stream()
                .filter(name -> name.startsWith(kind))
                .flatMap(name -> ElectionName.ifLegal(name.substring(kind.length())).stream())
                .forEach(names::add);
        return names;
    }

    /** Empty: there are several clocks, none of them the store's. */
    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    @Override
    public void close() {
        poller.close();
        looks.close();
        leaseCalls.close();
        calls.close();
    }

    private long deadline() {
        return timeline.nanos() + requestTimeout.toNanos();
    }

    private <T> CompletionStage<T> write(Supplier<CompletableFuture<T>> call) {
        return mode == Mode.CREATE
                ? call.get()
                : CompletableFuture.failedStage(new CoordinatorUnusableException(
                        "the coordinator " + uri.servers() + " was opened to be read only"));
    }

    /** The masters as watches look at them: all elections each time. */
    private final class Looks implements Poller.Store {
        @Override
        public CompletableFuture<Map<ElectionName, Seen>> look(Set<ElectionName> elections) {
            return forLooks.states(List.copyOf(elections)).thenApply(Chunks.Answers::told);
        }

        @Override
        public String life() {
            return "masters";
        }

        @Override
        public CompletableFuture<Optional<String>> version() {
            return CompletableFuture.completedFuture(Optional.empty());
        }

        @Override
        public Duration delay() {
            return POLL;
        }

        @Override
        public void missed() {
            // Nobody listens here.
        }
    }
}
