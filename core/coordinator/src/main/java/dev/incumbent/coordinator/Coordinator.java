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
 * A store that holds records and leases.
 *
 * <p>Thread-safe. No call blocks, and each ends within the request timeout given when the coordinator was opened: in a value, or in
 * a {@link CoordinatorException} that says whether it may have applied. An expected refusal is a value. Nothing is ever sent twice
 * for one call. Stages may complete on any thread; callers hand over at once.
 *
 * <p>Reads are linearizable unless {@link #capabilities()} says otherwise: never older than an acknowledged write.
 */
public interface Coordinator extends AutoCloseable {
    /** Grants a lease of at least that length; the id was never granted before. */
    CompletionStage<GrantedLease> grant(CandidateId owner, Duration timeToLive);

    /**
     * Keeps a lease alive for its whole length again; sent at most once a call. Its caller counts that length from before this call: a
     * store that may count from an earlier moment answers only once it surely does not, or asks for more than it promises. Ends in a {@link LeaseLostException} if the lease is
     * dead, which is final: no lease that was told dead, by any call to anyone, is ever alive again.
     */
    CompletionStage<Void> keepAlive(LeaseId lease);

    /** Ends a lease now. Ending one that is dead already is done, too. */
    CompletionStage<Void> revoke(LeaseId lease);

    /**
     * Reads records and whether their leaders' leases live, <em>first the record, then the lease</em>, or both at once; one bad record or
     * slow chunk spoils no other. A store that infers death from silence has buried a lease before this tells it dead.
     */
    CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections);

    /**
     * Writes {@code next} if the record's revision is still {@code expected}, atomically. The revision compared is the record's
     * nonce, or stands for it. A refusal that finds {@code next}'s own nonce in the store is told as {@link Swap.Accepted}.
     */
    CompletionStage<Swap> swap(ElectionName election, Revision expected, LeaderRecord next);

    /**
     * Watches one election until the watch is closed. Calls may skip states and may repeat one, and never go back; a lease's death
     * is a change, told without anybody's asking. The first call tells the present state.
     */
    Watch watch(ElectionName election, Watcher watcher);

    /**
     * Enlists a candidate at the end, or where it is enlisted already updates it in its place, its lease too; it ends with its lease, so
     * that whose lease died enlists at the end. Ends in a {@link LeaseLostException} if that lease is dead.
     */
    CompletionStage<Void> enlist(ElectionName election, Enlisted candidate);

    /** Takes a candidate off the list; one who is not on it is off it already. */
    CompletionStage<Void> withdraw(ElectionName election, CandidateId candidate);

    /** Candidates whose lease is not known dead, in the order of enlisting; an entry for every election asked for. */
    CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections);

    /** The elections that have a record or a candidate and are named {@code prefix} or lie beneath {@code prefix/}; all for "". In order. */
    CompletionStage<List<ElectionName>> elections(String prefix);

    /** The store's own clock, where it tells; for diagnosis alone. */
    CompletionStage<Optional<Instant>> clock();

    /** How many of the store's servers vote, where it tells; for diagnosis alone. */
    default CompletionStage<OptionalInt> memberCount() {
        return CompletableFuture.completedStage(OptionalInt.empty());
    }

    /** What this store promises; constant. */
    Capabilities capabilities();

    /**
     * Ends watches, connections and what is under way; leases live on until revoked or silent. A call made later ends in a
     * {@link CoordinatorException} and has not applied. Never fails, may be called twice.
     */
    @Override
    void close();
}
