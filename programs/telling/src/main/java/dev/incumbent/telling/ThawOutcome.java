package dev.incumbent.telling;

import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.Thaw;
import dev.incumbent.telling.Outcome.Kind;
import java.util.List;

/** How a thaw ended. */
public final class ThawOutcome {
    private final ElectionName election;

    private ThawOutcome(ElectionName election) {
        this.election = election;
    }

    public static Outcome of(ElectionName election, Thaw ended) {
        return new ThawOutcome(election).outcome(ended);
    }

    private Outcome outcome(Thaw ended) {
        if (ended instanceof Thaw.Thawed thawed) {
            return Outcome.done(
                    json("thawed").put("term", thawed.term()),
                    election + " is thawed; the next term is above " + thawed.term());
        }
        if (ended instanceof Thaw.NotRead left) {
            return sinks("not-read", left.sinks(), "nothing was done");
        }
        if (ended instanceof Thaw.NotRaised left) {
            return sinks("not-raised", left.sinks(), "the flag stays: run it again");
        }
        if (ended instanceof Thaw.NotFrozen) {
            return Outcome.done(json("not-frozen"), election + " is not frozen");
        }
        String why = ((Thaw.Refused) ended).why();
        return Outcome.not(Kind.NOT_SO, json("refused").put("why", why), election + " is not thawed: " + why);
    }

    private Outcome sinks(String outcome, List<OpenSink> left, String consequence) {
        List<String> said = left.stream()
                .map(sink -> election + " is not thawed, " + consequence + ": sink " + sink)
                .toList();
        return new Outcome(Kind.SINKS_OPEN, json(outcome).put("sinks", Outcome.json(left)), "", said);
    }

    private JsonObject json(String outcome) {
        return new JsonObject().put("election", election.value()).put("outcome", outcome);
    }
}
