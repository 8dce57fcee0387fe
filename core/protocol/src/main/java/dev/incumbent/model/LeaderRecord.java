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
import java.util.function.Consumer;

/**
 * What the coordinator remembers of one election, never deleted.
 *
 * @param term the greatest term that was claimed, or was met as a mark; 0 before the first
 * @param lease the lease that backs the leader; present exactly when the leader is
 * @param since when the leader claimed, or the last one vacated; for people
 * @param planned the transfer that whoever leads then does
 * @param moved the last hand-over to a named successor, be it asked for or a move to a better rank
 * @param cordons who stands behind all others
 * @param sinks every guarded sink, with a label without credentials
 * @param retiredSinks sinks that were retired; who still brings one does not stand
 * @param requires what a process must know to stand on this record or to write it; in order
 * @param holders who has claimed a term and may still act in it; only a record that requires {@link Feature#STONITH} lists them
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
        Optional<PlannedTransfer> planned,
        Optional<RankMove> moved,
        Optional<Freeze> freeze,
        Cordons cordons,
        Map<SinkId, String> sinks,
        Set<SinkId> retiredSinks,
        Set<Feature> requires,
        Holders holders,
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
            Optional.empty(),
            Optional.empty(),
            Cordons.NONE,
            Map.of(),
            Set.of(),
            Set.of(),
            Holders.NONE,
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
        if (!holders.isEmpty() && !requires.contains(Feature.STONITH)) {
            throw new IllegalArgumentException("a record that lists holders requires " + Feature.STONITH
                    + ", this one requires " + requires + " and lists " + holders.all());
        }
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
        return with(parts -> {
            parts.term = number;
            parts.leader = Optional.of(candidate);
            parts.lease = Optional.of(itsLease);
            parts.leaseLength = length;
            parts.since = now;
            parts.request = Optional.empty();
        });
    }

    /** This record without a leader, at that term or its own, whichever is greater. */
    public LeaderRecord vacated(long atLeast, Instant now) {
        return with(parts -> {
            parts.term = Math.max(term, atLeast);
            parts.leader = Optional.empty();
            parts.lease = Optional.empty();
            parts.since = now;
        });
    }

    public LeaderRecord withRequest(Optional<Request> asked) {
        return with(parts -> parts.request = asked);
    }

    public LeaderRecord withPlanned(Optional<PlannedTransfer> transfer) {
        return with(parts -> parts.planned = transfer);
    }

    /** This record without what was planned by that one, if that is what it has. */
    public LeaderRecord withoutPlanned(String by) {
        return planned.filter(one -> one.by().equals(by)).isEmpty() ? this : withPlanned(Optional.empty());
    }

    public LeaderRecord withMoved(Optional<RankMove> last) {
        return with(parts -> parts.moved = last);
    }

    public LeaderRecord withFreeze(Optional<Freeze> flag) {
        return with(parts -> parts.freeze = flag);
    }

    public LeaderRecord withCordons(Cordons all) {
        return with(parts -> parts.cordons = all);
    }

    public LeaderRecord withSinks(Map<SinkId, String> all) {
        return with(parts -> parts.sinks = all);
    }

    public LeaderRecord withRetiredSinks(Set<SinkId> retired) {
        return with(parts -> parts.retiredSinks = retired);
    }

    public LeaderRecord withRequires(Set<Feature> all) {
        return with(parts -> parts.requires = all);
    }

    public LeaderRecord withHolders(Holders all) {
        return with(parts -> parts.holders = all);
    }

    /** This record without the holder of that term, for whom this proof speaks; the proof stays with the term, where the history has it. */
    public LeaderRecord withProof(long settled, HolderProof proof) {
        return with(parts -> {
            parts.holders = holders.without(settled);
            parts.history = history.stream()
                    .map(past -> past.number() == settled ? past.withStonith(proof) : past)
                    .toList();
        });
    }

    /** This record as one swap writes it, with that swap's nonce. */
    public LeaderRecord written(String freshNonce) {
        return with(parts -> parts.nonce = freshNonce);
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
                : with(parts -> {
                    parts.leader = sharedLeader;
                    parts.lease = sharedLease;
                    parts.leaseLength = sharedLength;
                    parts.sinks = sharedSinks;
                });
    }

    /** This record with one more past term, the oldest forgotten beyond {@link #REMEMBERED_TERMS}. */
    public LeaderRecord remembering(PastTerm past) {
        List<PastTerm> longer = new ArrayList<>(history);
        longer.add(past);
        return with(parts -> parts.history = longer);
    }

    private LeaderRecord with(Consumer<Parts> change) {
        Parts parts = new Parts(this);
        change.accept(parts);
        return parts.together();
    }

    /** The parts of a record, while another is made of them. */
    private static final class Parts {
        private long term;
        private Optional<Candidate> leader;
        private Optional<LeaseId> lease;
        private Duration leaseLength;
        private Instant since;
        private Optional<Request> request;
        private Optional<PlannedTransfer> planned;
        private Optional<RankMove> moved;
        private Optional<Freeze> freeze;
        private Cordons cordons;
        private Map<SinkId, String> sinks;
        private Set<SinkId> retiredSinks;
        private Set<Feature> requires;
        private Holders holders;
        private String nonce;
        private List<PastTerm> history;
        private Map<String, String> unknown;

        Parts(LeaderRecord of) {
            term = of.term;
            leader = of.leader;
            lease = of.lease;
            leaseLength = of.leaseLength;
            since = of.since;
            request = of.request;
            planned = of.planned;
            moved = of.moved;
            freeze = of.freeze;
            cordons = of.cordons;
            sinks = of.sinks;
            retiredSinks = of.retiredSinks;
            requires = of.requires;
            holders = of.holders;
            nonce = of.nonce;
            history = of.history;
            unknown = of.unknown;
        }

        LeaderRecord together() {
            return new LeaderRecord(
                    term,
                    leader,
                    lease,
                    leaseLength,
                    since,
                    request,
                    planned,
                    moved,
                    freeze,
                    cordons,
                    sinks,
                    retiredSinks,
                    requires,
                    holders,
                    nonce,
                    history,
                    unknown);
        }
    }
}
