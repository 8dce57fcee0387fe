package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.quorum.NodeRefusal;
import dev.incumbent.quorum.Restoring;
import dev.incumbent.telling.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code server restore}: prepares one node's folder for a new quorum that begins with a snapshot. */
@Command(
        name = "restore",
        description = {
            "Prepares DIR, which must be empty, for a new quorum that begins with a snapshot:",
            "on each member, from the same FILE, with the same --lift. Then start all members.",
            "What was acknowledged after the snapshot is lost. Stop every node of the lost quorum first."
        },
        footerHeading = "%nExample:%n",
        footer = {"  $ incumbent server restore monday.snapshot --name n1 --data /var/lib/incumbent/quorum"})
public final class ServerRestore implements Verb {
    @Parameters(paramLabel = "FILE", description = "What 'server snapshot save' has saved.")
    private Path file = Path.of("");

    @Option(names = "--name", paramLabel = "NAME", required = true, description = "Which member's folder this is.")
    private String name = "";

    @Option(
            names = "--data",
            paramLabel = "DIR",
            required = true,
            description = "That folder: empty, or not there yet.")
    private Path data = Path.of("");

    @Option(
            names = "--lift",
            paramLabel = "N",
            description = {
                "By how much the term of each election is lifted, above all that was granted since the snapshot;",
                Restoring.LIFT + " unless said."
            })
    private long lift = Restoring.LIFT;

    @Option(
            names = "--quiet",
            paramLabel = "DUR",
            description = {
                "How long the node stays out of the quorum after its start, so that no leader of the lost quorum",
                "believes any more that it leads. Unless said: the longest lease in the snapshot, at least 15s."
            })
    private Optional<Duration> quiet = Optional.empty();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        if (lift < 0 || lift > Restoring.MOST_LIFT) {
            throw Refusal.usage("--lift is 0 to " + Restoring.MOST_LIFT + ", not " + lift);
        }
        SnapshotFacts facts = SnapshotFacts.of(file);
        Duration wait = quiet.orElseGet(() -> Restoring.longestLease(facts.snapshot()));
        try {
            Restoring.prepare(data.toAbsolutePath(), name, facts.snapshot(), lift, wait);
        } catch (NodeRefusal refused) {
            throw Refusal.configuration(String.valueOf(refused.getMessage()));
        } catch (IOException e) {
            throw new Refusal(ExitCodes.DISK, "the folder " + data + " cannot be written: " + e);
        }
        print(facts, wait, around);
        return ExitCodes.DONE;
    }

    private void print(SnapshotFacts facts, Duration wait, Surroundings around) {
        if (output.isJson()) {
            around.out()
                    .println(new JsonObject()
                            .put("name", name)
                            .put("data", data.toString())
                            .put("lift", lift)
                            .put("quietMillis", wait.toMillis())
                            .put("elections", facts.elections().size())
                            .put("frozen", facts.frozen())
                            .put("withoutSinks", facts.withoutSinks())
                            .putStrings("notLifted", facts.leftAlone())
                            .put("taken", facts.snapshot().header().taken().toString())
                            .put("sha256", facts.snapshot().sum()));
            return;
        }
        facts.print("restored", around, output);
        around.say("what was acknowledged after " + facts.snapshot().header().taken()
                + " is lost: later terms, elections, freezes and sinks");
        around.say("terms are lifted by " + lift + "; frozen elections stay frozen; nobody leads until "
                + wait.toMillis() + " ms after the start");
        if (!facts.leftAlone().isEmpty()) {
            around.say("this version leaves the records of " + facts.leftAlone() + " as they are, terms included");
        }
        around.say("restore the other members from this file, too; start all of them, then every process that uses the"
                + " quorum; then look with 'incumbent doctor'");
    }
}
