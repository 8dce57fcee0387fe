package dev.incumbent.cli.simulate;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.simulation.Ending;
import dev.incumbent.simulation.Worlds;
import dev.incumbent.telling.JsonObject;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code simulate replay}: one world again, by its seed or by the plan that was kept of it. */
@Command(
        name = "replay",
        description = "Runs one world again, by its seed or its plan. Exits 1 if an invariant is violated in it.",
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent simulate replay 0x9ee3ed656095bd19 --trace",
            "  $ incumbent simulate replay 0x9ee3ed656095bd19 --html world.html"
        })
public final class SimulateReplay implements Verb {
    @Parameters(
            paramLabel = "SEED|FILE",
            converter = Told.Converter.class,
            description = "The seed, as a REPLAY line names it; or the file of a plan, as shrink writes it.")
    private Told world = Told.NONE;

    @Option(names = "--trace", description = "Tells the world event by event.")
    private boolean trace;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Writes a page there that needs no network, and plays the world.")
    private Optional<Path> html = Optional.empty();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        PrintStream told = output.isJson() ? around.err() : around.out();
        ReplayStory story = new ReplayStory();
        Ending ending = html.isPresent()
                ? Worlds.watch(world.plan(), trace ? told::println : line -> {}, story)
                : trace ? Worlds.replay(world.plan(), told::println) : Worlds.run(world.plan());
        html.ifPresent(file -> story.write(file, world.seed().toString(), ending));
        if (output.isJson()) {
            around.out().println(json(ending));
        } else {
            around.out()
                    .println(String.format(
                            Locale.ROOT,
                            "%s: %d events in %.3f s, hash %016x",
                            world.seed(),
                            ending.events(),
                            ending.simulatedNanos() / 1e9,
                            ending.hash()));
            around.out().println("marks " + ending.milestones());
            around.out().println(ending.violation().isEmpty() ? "no violation" : ending.replayLine());
            ending.violation().ifPresent(violation -> around.out().println("  " + violation.how()));
        }
        return ending.violation().isEmpty() ? ExitCodes.DONE : ExitCodes.NOT_SO;
    }

    private JsonObject json(Ending ending) {
        JsonObject json = new JsonObject()
                .put("seed", world.seed().toString())
                .put("events", ending.events())
                .putDecimal("seconds", ending.simulatedNanos() / 1e9)
                .put("hash", "%016x".formatted(ending.hash()));
        return json.put(
                "violation",
                ending.violation()
                        .map(violation -> new JsonObject()
                                .put("invariant", violation.invariant())
                                .putDecimal("at", violation.atNanos() / 1e9)
                                .put("how", violation.how())));
    }
}
