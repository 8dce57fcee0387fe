package dev.incumbent.cli.simulate;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.simulation.CalmHours;
import dev.incumbent.telling.DurationText;
import dev.incumbent.telling.JsonObject;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code simulate calm}: hours in which nothing fails and leaders are heard; done only if no leader was preempted. */
@Command(
        name = "calm",
        description = {
            "Simulates hours in which nothing fails: three processes hear each other (--beats), and stand still now and then for some milliseconds.",
            "Exits 0 only if no leader was preempted, for each of them lived."
        },
        footerHeading = "%nExample:%n",
        footer = "  $ incumbent simulate calm --hours 720   (a month)")
public final class SimulateCalm implements Verb {
    private static final int MOST_HOURS = 100_000;

    @Option(names = "--hours", paramLabel = "N", defaultValue = "1", description = "How many; ${DEFAULT-VALUE}.")
    private int hours = 1;

    @Option(
            names = "--longest",
            paramLabel = "DUR",
            description = "No process stands still for longer than that (80ms).")
    private Duration longest = Duration.ofMillis(80);

    @Option(names = "--jobs", paramLabel = "J", description = "How many at once; as many as processors unless said.")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--base",
            paramLabel = "HEX",
            converter = SeedBase.Converter.class,
            description = "What the hours are derived from; random unless said, and told.")
    private Optional<SeedBase> base = Optional.empty();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        int threads = jobs.orElseGet(() -> Runtime.getRuntime().availableProcessors());
        if (hours < 1 || hours > MOST_HOURS || threads < 1) {
            throw Refusal.usage(
                    "--hours is 1 to " + MOST_HOURS + " and --jobs at least 1; they are " + hours + " and " + threads);
        }
        SeedBase from = base.orElseGet(SeedBase::random);
        Patience patience = new Patience(around, Optional.empty(), "hours");
        CalmHours.Result result = calm(from).run(hours, threads, patience::told);
        if (output.isJson()) {
            around.out()
                    .println(new JsonObject()
                            .put("hours", result.hours())
                            .put("events", result.events())
                            .put("preempted", result.preempted())
                            .put("violations", result.violations().size()));
        } else {
            around.out()
                    .println(String.format(
                            Locale.ROOT,
                            "%d hours of three processes, delays of at most %s, %d events: %d leaders preempted; base %s",
                            result.hours(),
                            DurationText.format(longest),
                            result.events(),
                            result.preempted(),
                            from.text()));
        }
        result.violations().forEach(violation -> around.say(violation.toString()));
        return result.preempted() == 0 && result.violations().isEmpty() ? ExitCodes.DONE : ExitCodes.NOT_SO;
    }

    private CalmHours calm(SeedBase from) {
        try {
            return new CalmHours(from.value(), longest);
        } catch (IllegalArgumentException refused) {
            throw Refusal.usage("--longest: " + refused.getMessage());
        }
    }
}
