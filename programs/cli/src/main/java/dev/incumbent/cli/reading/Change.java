package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.JsonObject;
import dev.incumbent.cli.frame.Reasons;
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
 * One change of who leads.
 *
 * @param leader who leads now; empty where nobody does
 * @param previous who led before, and why that ended, where it is remembered
 * @param at for people; the epoch where nobody has led yet
 */
record Change(ElectionName election, long term, Optional<Candidate> leader, Optional<PastTerm> previous, Instant at) {
    /** How things stand, told as the change that led there. */
    static Change to(ElectionName election, ObservedRecord observed) {
        LeaderRecord record = observed.record();
        if (!observed.isVacant()) {
            return new Change(
                    election, record.term(), record.leader(), lastBelow(record, record.term()), record.since());
        }
        Optional<PastTerm> dead = record.leader().map(leader -> died(record, leader));
        return new Change(
                election,
                record.term(),
                Optional.empty(),
                dead.or(() -> lastBelow(record, record.term() + 1)),
                record.since());
    }

    /** The terms that passed unseen since term {@code seen}, then how things stand. */
    static List<Change> since(long seen, ElectionName election, ObservedRecord observed) {
        LeaderRecord record = observed.record();
        Change last = to(election, observed);
        List<Change> changes = new ArrayList<>();
        for (PastTerm past : record.history()) {
            boolean toldByTheLast = last.leader().isEmpty() && last.previous().equals(Optional.of(past));
            if (past.number() > seen && past.number() < record.term() && !toldByTheLast) {
                changes.add(new Change(
                        election,
                        past.number(),
                        Optional.of(past.leader()),
                        lastBelow(record, past.number()),
                        past.from()));
            }
        }
        changes.add(last);
        return changes;
    }

    /** Does this say the same of who leads? */
    boolean isSameLeadershipAs(Change other) {
        return leader.equals(other.leader) && (leader.isEmpty() ? previous.equals(other.previous) : term == other.term);
    }

    JsonObject json() {
        JsonObject json = new JsonObject()
                .put("election", election.value())
                .put("term", term)
                .put("token", term)
                .put("leader", leader.map(StandingJson::of))
                .put("previous", previous.map(past -> StandingJson.of(past.leader())));
        previous.ifPresentOrElse(past -> json.put("reason", Reasons.word(past.reason())), () -> json.putNull("reason"));
        return at.equals(Instant.EPOCH) ? json.putNull("at") : json.put("at", at);
    }

    String text() {
        String before = previous.map(past -> "  previous " + past.leader() + " (" + Reasons.word(past.reason()) + ")")
                .orElse("");
        String now = leader.map(candidate -> "leader " + candidate).orElse("vacant");
        return (at.equals(Instant.EPOCH) ? "-" : at) + "  " + election + "  token " + term + "  " + now + before;
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
