package dev.incumbent.coordinator;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * A coordinator that hands each call to another one: whoever counts, delays or spoils calls overrides those. Threads, time and failures are the other's. Closing
 * it closes the other.
 */
public class ForwardingCoordinator implements Coordinator {
    private final Coordinator within;

    /** Hands calls to that one. */
    protected ForwardingCoordinator(Coordinator within) {
        this.within = within;
    }

    /** The other one. */
    protected final Coordinator inner() {
        return within;
    }

    @Override
    public CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive) {
        return within.grant(owner, timeToLive);
    }

    @Override
    public CompletionStage<Void> keepAlive(LeaseId lease) {
        return within.keepAlive(lease);
    }

    @Override
    public CompletionStage<Void> revoke(LeaseId lease) {
        return within.revoke(lease);
    }

    @Override
    public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
        return within.read(elections);
    }

    @Override
    public CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next) {
        return within.swap(election, expected, next);
    }

    @Override
    public Watch watch(ElectionName election, Watcher watcher) {
        return within.watch(election, watcher);
    }

    @Override
    public CompletionStage<Void> enlist(ElectionName election, Enlisted candidate) {
        return within.enlist(election, candidate);
    }

    @Override
    public CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate) {
        return within.withdraw(election, candidate);
    }

    @Override
    public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
        return within.candidates(elections);
    }

    @Override
    public CompletionStage<List<ElectionName>> elections(String prefix) {
        return within.elections(prefix);
    }

    @Override
    public CompletionStage<Optional<Instant>> clock() {
        return within.clock();
    }

    @Override
    public CompletionStage<OptionalInt> memberCount() {
        return within.memberCount();
    }

    @Override
    public Capabilities capabilities() {
        return within.capabilities();
    }

    @Override
    public void close() {
        within.close();
    }
}
