package dev.incumbent.telling;

import dev.incumbent.model.ElectionName;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.telling.Outcome.Kind;
import java.util.ArrayList;
import java.util.List;

/** How a freeze ended. */
public final class FreezeOutcome {
    private FreezeOutcome() {}

    public static Outcome of(ElectionName election, Freezing ended) {
        if (ended instanceof Freezing.Frozen frozen) {
            return frozen(election, frozen);
        }
        String gone = ((Freezing.Undone) ended).why();
        return Outcome.not(
                Kind.NOT_SO,
                new JsonObject()
                        .put("election", election.value())
                        .put("outcome", "undone")
                        .put("why", gone),
                election + " is not frozen any more: " + gone);
    }

    private static Outcome frozen(ElectionName election, Freezing.Frozen frozen) {
        List<String> said = new ArrayList<>(Outcome.sentences(frozen.open()));
        frozen.leader().ifPresent(leader -> said.add(leader + " still leads " + election + " on record"));
        return new Outcome(kind(frozen), json(election, frozen), sentence(election, frozen), said);
    }

    private static JsonObject json(ElectionName election, Freezing.Frozen frozen) {
        return new JsonObject()
                .put("election", election.value())
                .put("outcome", "frozen")
                .put("frozen", StandingJson.of(frozen.freeze()))
                .put("closed", frozen.isClosed())
                .putStrings("closedSinks", frozen.closed())
                .put("openSinks", Outcome.json(frozen.open()))
                .put("leader", frozen.leader().map(Outcome::json))
                .put("quiet", frozen.isQuiet())
                .put("untilQuietMs", frozen.untilQuiet().toMillis());
    }

    private static Kind kind(Freezing.Frozen frozen) {
        if (!frozen.isClosed()) {
            return Kind.SINKS_OPEN;
        }
        return frozen.leader().isPresent() ? Kind.NOT_SO : Kind.DONE;
    }

    private static String sentence(ElectionName election, Freezing.Frozen frozen) {
        String quiet = frozen.isQuiet() ? "quiet" : "quiet in " + DurationText.format(frozen.untilQuiet());
        return election + " is frozen, number " + frozen.freeze().number() + "; sinks closed: "
                + frozen.closed().size() + ", open: " + frozen.open().size() + "; "
                + (frozen.leader().isPresent() ? "not quiet while somebody leads on record" : quiet);
    }
}
