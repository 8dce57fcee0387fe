package dev.incumbent.telling;

import dev.incumbent.model.Cordon;
import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.Cordoning;
import dev.incumbent.telling.Outcome.Kind;

/** How a cordon, or taking one back, ended. */
public final class CordonOutcome {
    private CordonOutcome() {}

    public static Outcome of(ElectionName election, Cordoning ended) {
        if (ended instanceof Cordoning.Cordoned cordoned) {
            return cordoned(election, cordoned);
        }
        if (ended instanceof Cordoning.Uncordoned uncordoned) {
            return Outcome.done(
                    json(election, "uncordoned").put("whom", uncordoned.whom()).put("changed", uncordoned.changed()),
                    uncordoned.whom() + " is not cordoned in " + election
                            + (uncordoned.changed() ? "" : ", as it was"));
        }
        String why = ((Cordoning.Full) ended).why();
        return Outcome.not(Kind.NOT_SO, json(election, "full").put("why", why), election + ": " + why);
    }

    private static Outcome cordoned(ElectionName election, Cordoning.Cordoned ended) {
        Cordon cordon = ended.cordon();
        return Outcome.done(
                json(election, "cordoned")
                        .put("cordon", StandingJson.of(cordon))
                        .put("changed", ended.changed()),
                cordon.whom() + " is cordoned in " + election
                        + (ended.changed() ? "" : ", as it was: by " + cordon.by() + ": " + cordon.why()));
    }

    private static JsonObject json(ElectionName election, String outcome) {
        return new JsonObject().put("election", election.value()).put("outcome", outcome);
    }
}
