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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The store that elections run over. For each election it holds one record (who leads, in which term) and a list of candidates. It grants the leases of the
 * processes. Each adapter implements this interface for one store; programs use {@code Elections}.
 *
 * <p>Thread-safe. No call blocks. Each call ends within the request timeout that was given when the coordinator was opened: in a value, or in a {@link
 * CoordinatorException} that says whether the call may have applied. An expected refusal is a value. One call sends its request at most once. A stage may
 * complete on any thread of the adapter, so code that is chained to it must hand over to another thread at once.
 *
 * <p>Reads are linearizable unless {@link #capabilities()} says otherwise: a read is never older than an acknowledged write.
 */
public interface Coordinator extends AutoCloseable {
    /** Grants a lease of at least that length, under an id that was never granted before. */
    CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive);

    /**
     * Renews a lease: it lasts for its whole length again. The caller counts this length from before the call. A store that may count from an earlier time must
     * answer only when it surely does not, or must ask the server for a longer lease than it reports. The stage fails with a {@link LeaseLostException} if the
     * lease is dead. This is final: after any call has reported a lease dead to anybody, the lease is never alive again.
     *
     * <p>A holder is told the same if the store counts less than it granted, since the holder must stop then. To others such a lease stays alive until it ends, at
     * most for its length, so that the holder's work can stop before a successor begins.
     */
    CompletionStage<Void> keepAlive(LeaseId lease);

    /** Ends a lease now. If the lease is dead already, the call succeeds, too. */
    CompletionStage<Void> revoke(LeaseId lease);

    /**
     * Reads records, and whether the leases of their leaders are alive: <em>first the record, then the lease</em>, or both at one instant. A record that cannot
     * be read, or a part of the request that is late, spoils the reading of no other election. Where a lease is dead because nobody has renewed it for too long
     * (and not because a server has ended it), the adapter first marks it dead in the store, and only then reports it dead.
     */
    CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections);

    /**
     * Writes {@code next} if the record's revision is still {@code expected}, in one atomic step. The store compares the record's nonce, or a value that
     * changes whenever the nonce does. If the store refuses, but already holds the nonce of {@code next}, then an earlier sending of this swap has won, and the
     * result is {@link Swap.Accepted}.
     */
    CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next);

    /**
     * Watches one election until the watch is closed. The watcher's first call tells the present state. Later calls may skip states or repeat one, but never go
     * back to an older one. The death of the leader's lease is a change, too, and is reported although nobody asks.
     */
    Watch watch(ElectionName election, Watcher watcher);

    /**
     * Puts a candidate at the end of the list. If it is on the list already, its entry is updated in its place, the lease included. An entry ends with its
     * lease, so a candidate whose lease has died comes to the end of the list. The stage fails with a {@link LeaseLostException} if the lease is dead.
     */
    CompletionStage<Void> enlist(ElectionName election, Enlisted candidate);

    /** Takes a candidate off the list. If it is not on the list, the call succeeds, too. */
    CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate);

    /** The candidates whose leases are not known to be dead, in the order of the list; the result has an entry for every election that was asked for. */
    CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections);

    /** The elections that have a record or a candidate, and whose name is {@code prefix} or begins with {@code prefix/}; all of them for "". Sorted by name. */
    CompletionStage<List<ElectionName>> elections(String prefix);

    /** The time of the store's own clock, if the store tells it. Only for diagnosis. */
    CompletionStage<Optional<Instant>> clock();

    /** How many servers of the store vote, if the store tells it. Only for diagnosis. */
    default CompletionStage<OptionalInt> memberCount() {
        return CompletableFuture.completedStage(OptionalInt.empty());
    }

    /** What this store promises. It never changes. */
    Capabilities capabilities();

    /**
     * Ends watches, connections and calls that are under way. Leases are not revoked: they live on until they run out. A later call fails with a {@link
     * CoordinatorException} and has not applied. Never fails, may be called twice.
     */
    @Override
    void close();
}
