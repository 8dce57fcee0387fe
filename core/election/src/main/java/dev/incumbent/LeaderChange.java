package dev.incumbent;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One change of the leader of an election, as the record shows it. When a listener is told of it, another process may lead already. So it is no permission to
 * act.
 *
 * @param term the number of the term that began; if nobody leads, of the last term; 0 if nobody has ever led
 * @param leader who leads now, with the address for clients; empty if nobody leads
 * @param previous who led before, and why that term ended, if the record remembers it
 * @param at when it changed, for people; the epoch if nobody has led yet
 */
public record LeaderChange(
        ElectionName election, long term, Optional<Candidate> leader, Optional<PastTerm> previous, Instant at) {
    /** How things stand, told as the change that led there. */
    public static LeaderChange to(ElectionName election, ObservedRecord observed) {
        LeaderRecord record = observed.record();
        if (!observed.isVacant()) {
            return new LeaderChange(
                    election, record.term(), record.leader(), lastBelow(record, record.term()), record.since());
        }
        Optional<PastTerm> dead = record.leader().map(leader -> died(record, leader));
        return new LeaderChange(
                election,
                record.term(),
                Optional.empty(),
                dead.or(() -> lastBelow(record, record.term() + 1)),
                record.since());
    }

    /** The changes that followed this one: the terms that passed unseen, then how things stand; none where it says the same of who leads. */
    public List<LeaderChange> until(ObservedRecord observed) {
        LeaderRecord record = observed.record();
        LeaderChange last = to(election, observed);
        List<LeaderChange> changes = new ArrayList<>();
        for (PastTerm past : record.history()) {
            boolean toldByTheLast = last.leader.isEmpty() && last.previous.equals(Optional.of(past));
            if (past.number() > term && past.number() < record.term() && !toldByTheLast) {
                changes.add(new LeaderChange(
                        election,
                        past.number(),
                        Optional.of(past.leader()),
                        lastBelow(record, past.number()),
                        past.from()));
            }
        }
        if (!isSameLeadershipAs(last)) {
            changes.add(last);
        }
        return changes;
    }

    private boolean isSameLeadershipAs(LeaderChange other) {
        return leader.equals(other.leader) && (leader.isEmpty() ? previous.equals(other.previous) : term == other.term);
    }

    private static Optional<PastTerm> lastBelow(LeaderRecord record, long term) {
        return record.history().stream().filter(past -> past.number() < term).reduce((earlier, later) -> later);
    }

    /** The term whose leader's lease is dead, although no record says so yet. */
    private static PastTerm died(LeaderRecord record, Candidate leader) {
        return new PastTerm(
                record.term(), leader, record.since(), record.since(), EndReason.LEASE_LOST, record.leaseLength());
    }
}
