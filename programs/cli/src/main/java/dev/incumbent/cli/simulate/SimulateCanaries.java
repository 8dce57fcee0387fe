package dev.incumbent.cli.simulate;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.simulation.Canaries;
import dev.incumbent.telling.JsonObject;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code simulate canaries}: every deliberate bug is looked for; done only if each is found. */
@Command(
        name = "canaries",
        description =
                "Plants every deliberate bug in turn and looks for it. Exits 0 only if each is found within its budget of seeds.",
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent simulate canaries")
public final class SimulateCanaries implements Verb {
    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        Patience patience = new Patience(around, Optional.empty(), "canaries");
        List<Canaries.Hunt> hunts = Canaries.huntAll(Runtime.getRuntime().availableProcessors(), patience::told);
        long found = hunts.stream().filter(hunt -> hunt.found().isPresent()).count();
        PrintStream told = output.isJson() ? around.err() : around.out();
        hunts.stream()
                .filter(hunt -> !output.isJson() || hunt.found().isEmpty())
                .forEach(hunt -> told.println(line(hunt)));
        if (output.isJson()) {
            around.out().println(new JsonObject().put("planted", hunts.size()).put("found", found));
        } else {
            told.println(found + " of " + hunts.size() + " planted bugs found");
        }
        return found == hunts.size() ? ExitCodes.DONE : ExitCodes.NOT_SO;
    }

    private static String line(Canaries.Hunt hunt) {
        String how = hunt.found()
                .flatMap(ending -> ending.violation())
                .map(violation -> "found in seed " + hunt.seeds() + " by " + violation.invariant())
                .orElse("NOT FOUND in " + hunt.seeds() + " seeds");
        return "%-34s %s".formatted(hunt.bug().name(), how);
    }
}
