package dev.incumbent.telling;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.RequestedTransfer;
import dev.incumbent.telling.Outcome.Kind;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** How a transfer ended. */
public final class TransferOutcome {
    private final ElectionName election;

    private TransferOutcome(ElectionName election) {
        this.election = election;
    }

    public static Outcome of(ElectionName election, RequestedTransfer ended) {
        return new TransferOutcome(election).outcome(ended);
    }

    private Outcome outcome(RequestedTransfer ended) {
        if (ended instanceof RequestedTransfer.Transferred now) {
            return Outcome.done(
                    Outcome.with(json("transferred", now.term(), Optional.of(now.leader())), "gapMs", now.gap()),
                    now.leader() + " leads " + election + ", token " + now.term() + ", " + Outcome.gap(now.gap()));
        }
        if (ended instanceof RequestedTransfer.LeadsAlready now) {
            return Outcome.done(
                    json("leads-already", now.term(), Optional.of(now.leader())),
                    now.leader() + " leads " + election + " already, token " + now.term());
        }
        if (ended instanceof RequestedTransfer.AnotherLeads other) {
            return Outcome.not(
                    Kind.NOT_SO,
                    json("another-leads", other.term(), Optional.of(other.leader())),
                    "another leads " + election + " than was asked for: " + other.leader() + ", token " + other.term());
        }
        if (ended instanceof RequestedTransfer.NobodyLeads nobody) {
            return Outcome.not(
                    Kind.NOT_SO,
                    json("nobody-leads", nobody.term(), Optional.empty()).put("why", nobody.why()),
                    "term " + nobody.term() + " of " + election + " is over, and nobody leads: " + nobody.why());
        }
        return refusal(ended);
    }

    private Outcome refusal(RequestedTransfer ended) {
        if (ended instanceof RequestedTransfer.TakenBack same) {
            return Outcome.not(
                    Kind.LATE,
                    json("taken-back", same.term(), Optional.of(same.leader())).put("why", same.why()),
                    "term " + same.term() + " of " + election + " goes on under " + same.leader() + ": " + same.why());
        }
        if (ended instanceof RequestedTransfer.Ambiguous many) {
            return ambiguous(election, many.name(), many.ids());
        }
        String why = ((RequestedTransfer.Refused) ended).why();
        return Outcome.not(Kind.REFUSED, json("refused").put("why", why), election + ": " + why);
    }

    static Outcome ambiguous(ElectionName election, String name, List<CandidateId> ids) {
        return Outcome.not(
                Kind.AMBIGUOUS,
                new TransferOutcome(election).json("ambiguous").putStrings("ids", ids),
                name + " means several candidates of " + election + ": "
                        + ids.stream().map(Object::toString).collect(Collectors.joining(" ")));
    }

    private JsonObject json(String outcome, long term, Optional<Candidate> leader) {
        return json(outcome).put("term", term).put("token", term).put("leader", leader.map(Outcome::json));
    }

    private JsonObject json(String outcome) {
        return new JsonObject().put("election", election.value()).put("outcome", outcome);
    }
}
