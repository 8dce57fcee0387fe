package dev.incumbent.model;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the coordinator remembers of one election, never deleted.
 *
 * @param term the greatest term that was claimed, or was met as a mark; 0 before the first
 * @param lease the lease that backs the leader; present exactly when the leader is
 * @param since when the leader claimed, or the last one vacated; for people
 * @param sinks every guarded sink, with a label without credentials
 * @param retiredSinks sinks that were retired; who still brings one does not stand
 * @param requires what a process must know to stand on this record or to write it; in order
 * @param nonce fresh with every swap, and compared by every swap
 * @param history the last 16 terms that began, or whose leader died, oldest first
 * @param unknown fields that a later version wrote: name to raw JSON, carried through
 */
public record LeaderRecord(
        long term,
        Optional<Candidate> leader,
        Optional<LeaseId> lease,
        Duration leaseLength,
        Instant since,
        Optional<Request> request,
        Optional<Freeze> freeze,
        Map<SinkId, String> sinks,
        Set<SinkId> retiredSinks,
        Set<Feature> requires,
        String nonce,
        List<PastTerm> history,
        Map<String, String> unknown) {
    /** How many past terms a record remembers. */
    public static final int REMEMBERED_TERMS = 16;

    /** The record of an election that was never written. */
    public static final LeaderRecord EMPTY = new LeaderRecord(
            0,
            Optional.empty(),
            Optional.empty(),
            Duration.ZERO,
            Instant.EPOCH,
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Set.of(),
            Set.of(),
            "",
            List.of(),
            Map.of());

    public LeaderRecord {
        if (term < 0) {
            throw new IllegalArgumentException("a record's term is at least 0, this one is " + term);
        }
        if (leader.isPresent() != lease.isPresent()) {
            throw new IllegalArgumentException(
                    "a record names a leader and its lease, or neither: leader " + leader + ", lease " + lease);
        }
        sinks = Sorted.copyOf(sinks);
        retiredSinks = Sorted.copyOf(retiredSinks);
        requires = Feature.checked("a record", requires);
        history = history.size() <= REMEMBERED_TERMS
                ? List.copyOf(history)
                : List.copyOf(history.subList(history.size() - REMEMBERED_TERMS, history.size()));
        unknown = Unknown.inARecord(unknown);
    }

    /** Does this record name that candidate as leader of that term? */
    public boolean names(CandidateId id, long number) {
        return term == number && leader.isPresent() && leader.get().id().equals(id);
    }

    /** What this record requires and is not among {@code known}; in order. Who finds some neither stands on it nor writes it. */
    public Set<Feature> requiresBeyond(Set<Feature> known) {
        if (known.containsAll(requires)) {
            return Collections.emptySet();
        }
        Set<Feature> beyond = new TreeSet<>(requires);
        beyond.removeAll(known);
        return beyond;
    }

    public boolean isFrozen() {
        return freeze.isPresent();
    }

    /** This record under a new leader: a claim clears the request. */
    public LeaderRecord claimedBy(long number, Candidate candidate, LeaseId itsLease, Duration length, Instant now) {
        return new LeaderRecord(
                number,
                Optional.of(candidate),
                Optional.of(itsLease),
                length,
                now,
                Optional.empty(),
                freeze,
                sinks,
                retiredSinks,
                requires,
                nonce,
                history,
                unknown);
    }

    /** This record without a leader, at that term or its own, whichever is greater. */
    public LeaderRecord vacated(long atLeast, Instant now) {
        return new LeaderRecord(
                Math.max(term, atLeast),
                Optional.empty(),
                Optional.empty(),
                leaseLength,
                now,
                request,
                freeze,
                sinks,
                retiredSinks,
                requires,
                nonce,
                history,
                unknown);
    }

    public LeaderRecord withRequest(Optional<Request> asked) {
        return new LeaderRecord(
                term,
                leader,
                lease,
                leaseLength,
                since,
                asked,
                freeze,
                sinks,
                retiredSinks,
                requires,
                nonce,
                history,
                unknown);
    }

    public LeaderRecord withFreeze(Optional<Freeze> flag) {
        return new LeaderRecord(
                term,
                leader,
                lease,
                leaseLength,
                since,
                request,
                flag,
                sinks,
                retiredSinks,
                requires,
                nonce,
                history,
                unknown);
    }

    public LeaderRecord withSinks(Map<SinkId, String> all) {
        return new LeaderRecord(
                term,
                leader,
                lease,
                leaseLength,
                since,
                request,
                freeze,
                all,
                retiredSinks,
                requires,
                nonce,
                history,
                unknown);
    }

    public LeaderRecord withRetiredSinks(Set<SinkId> retired) {
        return new LeaderRecord(
                term,
                leader,
                lease,
                leaseLength,
                since,
                request,
                freeze,
                sinks,
                retired,
                requires,
                nonce,
                history,
                unknown);
    }

    public LeaderRecord withRequires(Set<Feature> all) {
        return new LeaderRecord(
                term,
                leader,
                lease,
                leaseLength,
                since,
                request,
                freeze,
                sinks,
                retiredSinks,
                all,
                nonce,
                history,
                unknown);
    }

    /** This record as one swap writes it, with that swap's nonce. */
    public LeaderRecord written(String freshNonce) {
        return new LeaderRecord(
                term,
                leader,
                lease,
                leaseLength,
                since,
                request,
                freeze,
                sinks,
                retiredSinks,
                requires,
                freshNonce,
                history,
                unknown);
    }

    /** This record, its parts taken from another where they are equal: so ten thousand records of one leader hold its name once. Itself where they are one already. */
    @SuppressWarnings({"ReferenceEquality", "OptionalEquality"
    }) // what is asked is whether two that are equal are held twice
    public LeaderRecord sharing(LeaderRecord other) {
        if (equals(other)) {
            return other;
        }
        Optional<Candidate> sharedLeader = leader.equals(other.leader) ? other.leader : leader;
        Optional<LeaseId> sharedLease = lease.equals(other.lease) ? other.lease : lease;
        Duration sharedLength = leaseLength.equals(other.leaseLength) ? other.leaseLength : leaseLength;
        Map<SinkId, String> sharedSinks = sinks.equals(other.sinks) ? other.sinks : sinks;
        boolean isShared = sharedLeader == leader
                && sharedLease == lease
                && sharedLength == leaseLength
                && (sharedSinks == sinks || sinks.isEmpty());
        return isShared
                ? this
                : new LeaderRecord(
                        term,
                        sharedLeader,
                        sharedLease,
                        sharedLength,
                        since,
                        request,
                        freeze,
                        sharedSinks,
                        retiredSinks,
                        requires,
                        nonce,
                        history,
                        unknown);
    }

    /** This record with one more past term, the oldest forgotten beyond {@link #REMEMBERED_TERMS}. */
    public LeaderRecord remembering(PastTerm past) {
        List<PastTerm> longer = new ArrayList<>(history);
        longer.add(past);
        return new LeaderRecord(
                term,
                leader,
                lease,
                leaseLength,
                since,
                request,
                freeze,
                sinks,
                retiredSinks,
                requires,
                nonce,
                longer,
                unknown);
    }
}
