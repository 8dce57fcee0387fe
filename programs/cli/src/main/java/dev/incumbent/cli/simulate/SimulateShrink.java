package dev.incumbent.cli.simulate;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.simulation.Shrinker;
import dev.incumbent.telling.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code simulate shrink}: the few faults without which a failing world does not fail. */
@Command(
        name = "shrink",
        description = {
            "Leaves out the faults of a failing world that it does not need to fail, and prints the others and a test to paste.",
            "Exits 1 if the world does not fail."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent simulate shrink 0x9ee3ed656095bd19")
public final class SimulateShrink implements Verb {
    @Parameters(
            paramLabel = "SEED|FILE",
            converter = Told.Converter.class,
            description = "The seed, as a REPLAY line names it; or the file of a plan.")
    private Told world = Told.NONE;

    @Option(
            names = "--plan",
            paramLabel = "FILE",
            description = "Writes what is left as a plan: replay takes it, and the corpus keeps it.")
    private Optional<Path> plan = Optional.empty();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        Optional<Shrinker.Shrunk> shrunk = Shrinker.shrink(world.plan());
        if (shrunk.isEmpty()) {
            around.say("the world of seed " + world.seed() + " violates nothing: there is nothing to shrink");
            return ExitCodes.NOT_SO;
        }
        plan.ifPresent(file -> write(file, shrunk.get()));
        if (output.isJson()) {
            around.out().println(json(shrunk.get()));
        } else {
            print(around, shrunk.get());
        }
        return ExitCodes.DONE;
    }

    private static void write(Path file, Shrinker.Shrunk shrunk) {
        try {
            Files.writeString(file, shrunk.plan().text());
        } catch (IOException e) {
            throw Refusal.configuration("--plan " + file + " cannot be written: " + e);
        }
    }

    private void print(Surroundings around, Shrinker.Shrunk shrunk) {
        around.out()
                .println(String.format(
                        Locale.ROOT,
                        "%s at %.3f s: %d -> %d faults, after %d replays",
                        shrunk.violation().invariant(),
                        shrunk.violation().atNanos() / 1e9,
                        shrunk.faults(),
                        shrunk.left().size(),
                        shrunk.replays()));
        shrunk.left().forEach(fault -> around.out().println("  " + fault));
        around.out().println();
        around.out().println(shrunk.test());
    }

    private JsonObject json(Shrinker.Shrunk shrunk) {
        return new JsonObject()
                .put("seed", world.seed().toString())
                .put("invariant", shrunk.violation().invariant())
                .putDecimal("at", shrunk.violation().atNanos() / 1e9)
                .put("how", shrunk.violation().how())
                .put("faultsBefore", shrunk.faults())
                .putStrings("faults", shrunk.left())
                .put("replays", shrunk.replays())
                .put("test", shrunk.test());
    }
}
