package dev.incumbent.cli.server;

import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.quorum.Saving;
import dev.incumbent.quorum.Snapshot;
import dev.incumbent.quorum.UnusableSnapshot;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code server snapshot save}: a copy of all that a quorum knows, while it runs. */
@Command(
        name = "save",
        description = {
            "Saves a copy of all that was acknowledged before, while the quorum runs.",
            "FILE is there once the copy is whole and on the disk; only its owner may read it."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent server snapshot save monday.snapshot \\",
            "      --at quorum://h1:7400,h2:7400,h3:7400 --token-file operator.token"
        })
public final class SnapshotSave implements Verb {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @Parameters(paramLabel = "FILE", description = "Where to save it.")
    private Path file = Path.of("");

    @Mixin
    private At at = new At();

    @Option(
            names = "--token-file",
            paramLabel = "FILE",
            description = "Holds an operator's token; the same as ?token-file=FILE in the URI.")
    private Optional<Path> token = Optional.empty();

    @Option(names = "--force", description = "Replaces FILE if there is one.")
    private boolean force;

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) throws InterruptedException {
        refuseAnother();
        try {
            Snapshot snapshot = Saving.fetch(uri(around), around.timeline(), PATIENCE);
            Saving.write(snapshot, file.toAbsolutePath(), force);
            new SnapshotFacts(file, snapshot).print("saved", around, output);
            return ExitCodes.DONE;
        } catch (UnusableSnapshot unusable) {
            throw Refusal.configuration(String.valueOf(unusable.getMessage()));
        } catch (FileAlreadyExistsException meanwhile) {
            throw another();
        } catch (IOException e) {
            throw new Refusal(ExitCodes.DISK, "the snapshot cannot be written to " + file + ": " + e);
        }
    }

    private void refuseAnother() {
        if (!force && Files.exists(file)) {
            throw another();
        }
    }

    private Refusal another() {
        return Refusal.configuration("there is a file " + file + " already; --force replaces it");
    }

    private String uri(Surroundings around) {
        String uri = at.uri(around);
        if (!uri.startsWith("quorum:")) {
            throw Refusal.usage("a snapshot is saved of a quorum, and --at says " + at.label(around)
                    + "; write quorum://HOST:PORT,HOST:PORT,HOST:PORT");
        }
        return uri
                + token.map(path -> (uri.contains("?") ? "&" : "?") + "token-file="
                                + URLEncoder.encode(path.toString(), StandardCharsets.UTF_8)
                                        .replace("+", "%20"))
                        .orElse("");
    }
}
