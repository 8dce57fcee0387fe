package dev.incumbent.telling;

import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.Resignation;
import dev.incumbent.telling.Outcome.Kind;
import java.util.Optional;

/** How a request to resign ended. */
public final class ResignOutcome {
    private final ElectionName election;

    private ResignOutcome(ElectionName election) {
        this.election = election;
    }

    public static Outcome of(ElectionName election, Resignation ended) {
        return new ResignOutcome(election).outcome(ended);
    }

    private Outcome outcome(Resignation ended) {
        if (ended instanceof Resignation.Resigned resigned) {
            return resigned(resigned);
        }
        if (ended instanceof Resignation.TakenBack same) {
            return Outcome.not(
                    Kind.LATE,
                    json("taken-back")
                            .put("term", same.term())
                            .put("leader", Outcome.json(same.leader()))
                            .put("why", same.why()),
                    "term " + same.term() + " of " + election + " goes on under " + same.leader() + ": " + same.why());
        }
        String why = ((Resignation.Refused) ended).why();
        return Outcome.not(Kind.REFUSED, json("refused").put("why", why), election + ": " + why);
    }

    private Outcome resigned(Resignation.Resigned ended) {
        JsonObject json = json("resigned").put("ended", ended.term()).put("previous", Outcome.json(ended.leader()));
        String over = "term " + ended.term() + " of " + election + " is over";
        Optional<Resignation.Next> next = ended.next();
        if (next.isEmpty()) {
            return Outcome.done(json.putNull("token").putNull("leader").putNull("gapMs"), over + ", nobody leads");
        }
        Resignation.Next now = next.get();
        return Outcome.done(
                Outcome.with(
                        json.put("token", now.term()).put("leader", Outcome.json(now.leader())), "gapMs", now.gap()),
                over + ", " + now.leader() + " leads, token " + now.term() + ", " + Outcome.gap(now.gap()));
    }

    private JsonObject json(String outcome) {
        return new JsonObject().put("election", election.value()).put("outcome", outcome);
    }
}
