package dev.incumbent.protocol;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Role;
import dev.incumbent.model.Timing;
import java.util.Optional;

/**
 * All that one process knows of one election. Immutable; equal states answer equal events with equal steps.
 */
public record ElectionState(
        Role role,
        Standing standing,
        Optional<HeldLease> lease,
        Known known,
        Optional<Tenure> tenure,
        Optional<Attempt> attempt,
        Memory memory) {
    /** Before anything has happened: an observer that knows nothing. */
    public static final ElectionState START = new ElectionState(
            Role.OBSERVER,
            Standing.ASIDE,
            Optional.empty(),
            Known.NOTHING,
            Optional.empty(),
            Optional.empty(),
            Memory.BLANK);

    /** The same, with what this process remembers of a candidacy before: it never uses a number or a nonce twice. */
    public ElectionState remembering(Memory before) {
        return new ElectionState(role, standing, lease, known, tenure, attempt, before);
    }

    /** The record last told; the empty one before that. */
    public LeaderRecord record() {
        return known.observed().map(ObservedRecord::record).orElse(LeaderRecord.EMPTY);
    }

    /** Does another process lead, as far as that candidate knows, and can nothing that it has sent change the record any more? */
    public boolean follows(CandidateId me) {
        boolean another = known.observed()
                .filter(ObservedRecord::leaseAlive)
                .flatMap(observed -> observed.record().leader())
                .filter(leader -> !leader.id().equals(me))
                .isPresent();
        return another
                && tenure.isEmpty()
                && attempt.isEmpty()
                && memory.unsettled().on().isEmpty();
    }

    /**
     * Until when the term held is valid: as long as <em>both</em> the lease it was won with and the proof that the record names it are fresh; once it ends,
     * no longer than it was then. The smallest long where no term is held, or its lease is gone, or another term may
     * exist: from the sending of its vacate on.
     */
    public long validUntilNanos(Timing timing) {
        return validUntilNanos(timing, lease, tenure);
    }

    static long validUntilNanos(Timing timing, Optional<HeldLease> lease, Optional<Tenure> tenure) {
        if (tenure.isEmpty()
                || lease.isEmpty()
                || !lease.get().id().equals(tenure.get().won().under())) {
            return Long.MIN_VALUE;
        }
        long validFor = timing.validForNanos(lease.get().timeToLive());
        long fresh = Math.min(lease.get().sentAtNanos(), tenure.get().provenAtNanos()) + validFor;
        return Math.min(fresh, tenure.get().ending().lapsesAtNanos());
    }

    /** This state, its parts taken from another where they are equal: so ten thousand elections that went the same way hold these once. */
    @SuppressWarnings({"ReferenceEquality", "OptionalEquality"}) // what is one in memory already is shared
    public ElectionState sharing(ElectionState other) {
        Standing sharedStanding = standing.equals(other.standing) ? other.standing : standing;
        Optional<HeldLease> sharedLease = lease.equals(other.lease) ? other.lease : lease;
        Known sharedKnown = known.sharing(other.known);
        Memory sharedMemory = memory.equals(other.memory) ? other.memory : memory;
        boolean isShared =
                sharedStanding == standing && sharedLease == lease && sharedKnown == known && sharedMemory == memory;
        return isShared
                ? this
                : new ElectionState(role, sharedStanding, sharedLease, sharedKnown, tenure, attempt, sharedMemory);
    }

    /** Has that candidate nothing left to see to in this election? Then its records need not be read any more: none names it, and no swap of its may still land. */
    public boolean isSettled(CandidateId me) {
        return mayStandAnew(me) && memory.unsettled().on().isEmpty();
    }

    /** Has it left so far that the same candidate may stand anew with its memory? Should a swap of before still land, it knows and disowns it. */
    public boolean mayStandAnew(CandidateId me) {
        return role == Role.OBSERVER
                && !standing.campaigning()
                && standing.listing() == Standing.Listing.OFF
                && tenure.isEmpty()
                && attempt.isEmpty()
                && record().leader().filter(leader -> leader.id().equals(me)).isEmpty();
    }
}
