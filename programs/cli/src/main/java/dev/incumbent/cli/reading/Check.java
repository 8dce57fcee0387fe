package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.StandingJson;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code check ELECTION --token N}: is it the term of a live leader? No substitute for a fence: the answer is old when it is read. */
@Command(
        name = "check",
        description = {
            "Tells whether a token is that of a live leader: exit 0 if so, 3 if it is stale or its leader is gone, 4 if it is newer than known.",
            "No substitute for a fence: the answer may be out of date when it is read."
        },
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent check billing/closer --token 7 && ./close-the-books"})
public final class Check implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election;

    @Option(names = "--token", required = true, paramLabel = "N", description = "The token.")
    private FencingToken token;

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        if (at.isPeers(around) && !at.uri(around).startsWith("peers+raft:")) {
            throw Refusal.configuration("--at " + at.label(around)
                    + ": a leader by bully or ring has no token; elect by peers+raft, or over a coordinator");
        }
        try (Coordinator coordinator = at.open(around, Mode.READ_ONLY)) {
            ObservedRecord observed = new Enquiry(coordinator).known(election);
            Verdict verdict = verdict(observed);
            around.out().println(output.isJson() ? json(observed, verdict) : text(observed, verdict));
            return verdict.exitCode;
        }
    }

    private Verdict verdict(ObservedRecord observed) {
        long term = observed.record().term();
        if (token.value() > term) {
            return Verdict.NEWER;
        }
        return token.value() == term && !observed.isVacant() ? Verdict.CURRENT : Verdict.STALE;
    }

    private JsonObject json(ObservedRecord observed, Verdict verdict) {
        return new JsonObject()
                .put("election", election.value())
                .put("token", token.value())
                .put("verdict", verdict.word)
                .put("term", observed.record().term())
                .put(
                        "leader",
                        observed.isVacant()
                                ? Optional.empty()
                                : observed.record().leader().map(StandingJson::of));
    }

    private String text(ObservedRecord observed, Verdict verdict) {
        LeaderRecord record = observed.record();
        String leader =
                observed.isVacant() ? "vacant" : "led by " + record.leader().orElseThrow();
        return "token " + token + " of " + election + " is " + verdict.word + ": term " + record.term() + ", " + leader;
    }

    private enum Verdict {
        CURRENT("current", ExitCodes.DONE),
        STALE("stale", ExitCodes.STALE),
        NEWER("newer", ExitCodes.NEWER);

        final String word;
        final int exitCode;

        Verdict(String word, int exitCode) {
            this.word = word;
            this.exitCode = exitCode;
        }
    }
}
