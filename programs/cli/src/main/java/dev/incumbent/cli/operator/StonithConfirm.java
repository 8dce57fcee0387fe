package dev.incumbent.cli.operator;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.HolderProof;
import dev.incumbent.outcome.HolderConfirmation;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code stonith confirm ELECTION NODE --term N --why TEXT}: a person's word that a former leader acts no more. */
@Command(
        name = "confirm",
        description = {
            "Confirms that the leader of term N on NODE acts no more. Turn the machine off first, and see that it is off: the next",
            "leader begins without turning it off, and if it still runs, two of them write.",
            "Exit 0: it is confirmed; 1: the record lists nobody of that term on that node; 80: it leads, under a lease that lives."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent stonith list billing/closer",
            "  $ incumbent stonith confirm billing/closer ledger-1 --term 7 --why 'its plug is pulled, ann'"
        })
public final class StonithConfirm implements Verb {
    @Parameters(index = "0", paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Parameters(index = "1", paramLabel = "NODE", description = "The machine, as 'stonith list' names it.")
    private String node = "";

    @Option(names = "--term", required = true, paramLabel = "N", description = "The term that it claimed.")
    private long term;

    @Option(
            names = "--why",
            required = true,
            paramLabel = "TEXT",
            description = "How you know it; at most 200 characters, which 'stonith list' tells.")
    private String why = "";

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "stonith confirm");
        checked();
        try (Desk desk = Desk.ofKnown(around, at, election, List.of())) {
            HolderConfirmation ended = Desk.await(desk.operator().confirmHolder(node, term, why));
            return Ending.print(outcome(ended), around, output.isJson());
        }
    }

    /** What no record could hold is no matter of the store. */
    private void checked() {
        if (why.isBlank()) {
            throw Refusal.usage("--why says how you know that it is off, and this one is blank");
        }
        try {
            new HolderProof(HolderProof.Kind.CONFIRMED, "nobody", why, Instant.EPOCH);
        } catch (IllegalArgumentException none) {
            throw Refusal.usage("--why: " + none.getMessage());
        }
    }

    private Outcome outcome(HolderConfirmation ended) {
        JsonObject json = new JsonObject()
                .put("election", election.value())
                .put("node", node)
                .put("term", term);
        if (ended instanceof HolderConfirmation.Confirmed confirmed) {
            return Outcome.done(
                    json.put("outcome", "confirmed")
                            .put("by", confirmed.proof().by())
                            .put("isInHistory", confirmed.isInHistory()),
                    "term " + term + " of " + confirmed.holder().candidate() + " on " + node
                            + " is confirmed to act no more in " + election);
        }
        if (ended instanceof HolderConfirmation.Leads leads) {
            return Outcome.not(
                    Outcome.Kind.REFUSED,
                    json.put("outcome", "leads"),
                    leads.holder().candidate() + " leads term " + term + " of " + election + " on " + node
                            + ", under a lease that lives: resign it, or wait until its lease has run out");
        }
        List<String> listed = ((HolderConfirmation.NotListed) ended)
                .listed().all().stream()
                        .map(holder ->
                                "term " + holder.term() + " on " + holder.on().node())
                        .toList();
        return Outcome.not(
                Outcome.Kind.NOT_SO,
                json.put("outcome", "not-listed").putStrings("listed", listed),
                election + " lists nobody of term " + term + " on " + node + "; it lists "
                        + (listed.isEmpty() ? "nobody" : listed.stream().collect(Collectors.joining(", "))));
    }
}
