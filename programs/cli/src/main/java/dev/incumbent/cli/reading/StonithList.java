package dev.incumbent.cli.reading;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.Columns;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Feature;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.telling.HolderView;
import dev.incumbent.telling.JsonObject;
import dev.incumbent.telling.StonithJson;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code stonith list ELECTION}: who may still act, and what proved that others do not. */
@Command(
        name = "list",
        description = {
            "Lists who has claimed a term and may still act in it: where it runs, and whether it leads now. Whoever does not lead",
            "is turned off before the next term begins. Then the past terms whose leader was proved to act no more.",
            "Exit 0: it is told; 1: there is no such election."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent stonith list billing/closer -o json | jq -r '.holders[].node'")
public final class StonithList implements Verb {
    @Parameters(paramLabel = "ELECTION", description = "The election.")
    private ElectionName election = new ElectionName("unset");

    @Mixin
    private At at = new At();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        at.requireRecord(around, "stonith list");
        try (Coordinator coordinator = at.open(around, Mode.READ_ONLY)) {
            ObservedRecord observed = new Enquiry(coordinator).known(election);
            if (output.isJson()) {
                around.out().println(json(observed));
            } else {
                print(around, observed);
            }
            return ExitCodes.DONE;
        }
    }

    private JsonObject json(ObservedRecord observed) {
        return StonithJson.putIn(
                new JsonObject()
                        .put("election", election.value())
                        .put("required", observed.record().requires().contains(Feature.STONITH)),
                observed);
    }

    private void print(Surroundings around, ObservedRecord observed) {
        LeaderRecord record = observed.record();
        if (!record.requires().contains(Feature.STONITH)) {
            around.say(
                    election + " does not ask that former leaders are turned off: 'run --stonith FILE' makes it do so");
        } else if (record.holders().isEmpty()) {
            around.say("nobody may still act in " + election);
        }
        Columns holders = new Columns("TERM", "NODE", "CANDIDATE", "PROCESS", "STATE");
        HolderView.all(observed)
                .forEach(view -> holders.add(
                        Long.toString(view.holder().term()),
                        view.holder().on().node(),
                        view.holder().candidate().value(),
                        view.holder().on().process(),
                        view.leads() ? "leads" : "may still act"));
        holders.print(around);
        Columns proofs = new Columns("TERM", "CANDIDATE", "PROVED", "BY", "WHY");
        record.history().stream().filter(past -> past.stonith().isPresent()).forEach(past -> {
            HolderProof proof = past.stonith().orElseThrow();
            proofs.add(
                    Long.toString(past.number()),
                    past.leader().id().value(),
                    StonithJson.word(proof),
                    proof.by(),
                    proof.why());
        });
        proofs.print(around);
    }
}
