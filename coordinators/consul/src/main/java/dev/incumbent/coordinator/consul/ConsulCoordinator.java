package dev.incumbent.coordinator.consul;

import dev.incumbent.consul.ConsulAddress;
import dev.incumbent.consul.ConsulClient;
import dev.incumbent.consul.Question;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.coordinator.Watch;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * A coordinator in Consul. Reads are consistent. A lease is a session; once that has ended, whyever, the lease lasts for its whole length more, as each observer counts. Two
 * threads.
 */
final class ConsulCoordinator implements Coordinator {
    private final ConsulAddress at;
    private final Timeline timeline;
    private final Duration requestTimeout;
    private final Mode mode;
    private final ConsulClient consul;
    private final Leases leases;
    private final Records records;
    private final Candidates candidates;
    private final Watches watches;

    /** Asks nothing yet. */
    ConsulCoordinator(ConsulAddress at, Timeline timeline, Duration requestTimeout, Mode mode) {
        this.at = at;
        this.timeline = timeline;
        this.requestTimeout = requestTimeout;
        this.mode = mode;
        this.consul = new ConsulClient(at, at.toString(), (nanos, task) -> timeline.at(nanos, task)::cancel);
        Keys keys = new Keys(at.prefix());
        Promises promises = new Promises(consul, keys, timeline, mode);
        this.leases = new Leases(consul, keys, promises, at.shortestSession());
        this.records = new Records(consul, keys, leases);
        this.candidates = new Candidates(consul, keys, leases);
        AnswerThread thread = new AnswerThread(consul, timeline, requestTimeout);
        this.watches = new Watches(
                consul,
                keys,
                elections -> records.read(elections, thread.deadlineNanos()),
                new EndedLeases(leases, thread),
                thread);
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return write(deadline -> leases.grant(owner, timeToLive, deadline));
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return write(deadline -> leases.keepAlive(lease, deadline));
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return write(deadline -> leases.revoke(lease, deadline));
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return Failures.told(records.read(Set.copyOf(elections), timeline.nanos() + requestTimeout.toNanos()));
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return write(deadline -> records.swap(election, expected, next, deadline));
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return watches.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return write(deadline -> candidates.enlist(election, candidate, deadline));
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return write(deadline -> candidates.withdraw(election, candidate, deadline));
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return Failures.told(candidates.list(Set.copyOf(elections), deadline()));
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return Failures.told(records.list(prefix, deadline()));
    }

    /** Empty: what Consul tells is the clock of the agent that was asked, and no lease is judged by it. */
    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return CompletableFuture.completedStage(Optional.empty());
    }

    /** Those that Raft knows, which any token may ask for. */
    @Override
    public CompletionStage<OptionalInt> memberCount() {
        return Failures.told(consul.ask(Question.get("/v1/status/peers", "reading Consul's servers", deadline()))
                .thenApply(answer -> OptionalInt.of(answer.json().items().size())));
    }

    /** The lag is that of the shortest lease: one of more than twice its length lags as long as itself. */
    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                at.shortestSession(),
                Duration.ofMillis(1),
                at.shortestSession().multipliedBy(2),
                true,
                false,
                Capabilities.ExpiryClock.SERVER_MONOTONIC,
                Capabilities.Consistency.LINEARIZABLE);
    }

    @Override
    public void close() {
        consul.close();
    }

    private long deadline() {
        return timeline.nanos() + requestTimeout.toNanos();
    }

    private <T> CompletionStage<T> write(Function<Long, CompletionStage<T>> call) {
        return mode == Mode.CREATE
                ? Failures.told(call.apply(deadline()))
                : CompletableFuture.failedStage(new CoordinatorUnusableException(at + " was opened to be read only"));
    }
}
