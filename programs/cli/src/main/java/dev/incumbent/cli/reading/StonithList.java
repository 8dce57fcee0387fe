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
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.telling.JsonObject;
import java.util.Locale;
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
        LeaderRecord record = observed.record();
        return new JsonObject()
                .put("election", election.value())
                .put("required", record.requires().contains(Feature.STONITH))
                .put(
                        "holders",
                        record.holders().all().stream()
                                .map(holder -> json(holder).put("leads", leads(observed, holder)))
                                .toList())
                .put(
                        "proved",
                        record.history().stream()
                                .filter(past -> past.stonith().isPresent())
                                .map(StonithList::json)
                                .toList());
    }

    /** A holder, as these verbs tell it. */
    static JsonObject json(Holder holder) {
        return new JsonObject()
                .put("term", holder.term())
                .put("node", holder.on().node())
                .put("candidate", holder.candidate().value())
                .put("bootId", holder.on().bootId())
                .put("process", holder.on().process());
    }

    private static JsonObject json(PastTerm past) {
        HolderProof proof = past.stonith().orElseThrow();
        return new JsonObject()
                .put("term", past.number())
                .put("candidate", past.leader().id().value())
                .put("proof", word(proof))
                .put("by", proof.by())
                .put("why", proof.why())
                .put("at", proof.at());
    }

    static String word(HolderProof proof) {
        return proof.kind().name().toLowerCase(Locale.ROOT);
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
        record.holders()
                .all()
                .forEach(holder -> holders.add(
                        Long.toString(holder.term()),
                        holder.on().node(),
                        holder.candidate().value(),
                        holder.on().process(),
                        leads(observed, holder) ? "leads" : "may still act"));
        holders.print(around);
        Columns proofs = new Columns("TERM", "CANDIDATE", "PROVED", "BY", "WHY");
        record.history().stream().filter(past -> past.stonith().isPresent()).forEach(past -> {
            HolderProof proof = past.stonith().orElseThrow();
            proofs.add(Long.toString(past.number()), past.leader().id().value(), word(proof), proof.by(), proof.why());
        });
        proofs.print(around);
    }

    /** Its claim stands, under a lease that lives. */
    private static boolean leads(ObservedRecord observed, Holder holder) {
        return !observed.isVacant() && observed.record().term() == holder.term();
    }
}
