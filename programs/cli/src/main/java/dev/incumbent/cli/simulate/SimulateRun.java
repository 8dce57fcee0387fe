package dev.incumbent.cli.simulate;

import dev.incumbent.cli.frame.ExitCodes;
import dev.incumbent.cli.frame.Output;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.cli.frame.Verb;
import dev.incumbent.simulation.Batch;
import dev.incumbent.simulation.Ending;
import dev.incumbent.simulation.Milestone;
import dev.incumbent.telling.JsonObject;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code simulate run}: many worlds; done only if none was violated and, where there are enough of them, every required mark was hit. */
@Command(
        name = "run",
        description = {
            "Runs many seeded worlds and checks every invariant after every event.",
            "Exits 0 only with no violation and, from " + SimulateRun.ENOUGH + " worlds on, all required marks hit."
        },
        footerHeading = "%nExample:%n",
        footer = {
            "  $ incumbent simulate run --seeds 2000 --base $(git rev-parse HEAD)",
            "  $ incumbent simulate run --hours 8760   (a year; some minutes)"
        })
public final class SimulateRun implements Verb {
    private static final double NANOS_PER_HOUR = 3.6e12;
    /** Fewer worlds need not have met everything. */
    static final int ENOUGH = 1_000;

    private static final long MOST_HOURS = 1_000_000;

    @Option(
            names = "--seeds",
            paramLabel = "N",
            description = "How many worlds; 1000 unless said, no end with --minutes or --hours.")
    private Optional<Long> seeds = Optional.empty();

    @Option(names = "--minutes", paramLabel = "M", description = "Begin no further world after so long.")
    private Optional<Double> minutes = Optional.empty();

    @Option(
            names = "--hours",
            paramLabel = "H",
            description = "Begin no further world once so many hours were simulated; a year is 8760.")
    private Optional<Double> hours = Optional.empty();

    @Option(names = "--jobs", paramLabel = "J", description = "How many at once; as many as processors unless said.")
    private Optional<Integer> jobs = Optional.empty();

    @Option(
            names = "--profile",
            paramLabel = "swarm",
            defaultValue = "swarm",
            description = "How worlds are drawn: ${DEFAULT-VALUE}.")
    private String profile = "swarm";

    @Option(
            names = "--base",
            paramLabel = "HEX",
            converter = SeedBase.Converter.class,
            description = "What the seeds are derived from, such as a commit's hash; random unless said, and told.")
    private Optional<SeedBase> base = Optional.empty();

    @Mixin
    private Output output = new Output();

    @Override
    public int run(Surroundings around) {
        SeedBase from = base.orElseGet(SeedBase::random);
        Batch batch = new Batch(from.value(), jobs());
        long most = seeds();
        long began = around.timeline().nanos();
        Patience patience = new Patience(around, limit(), "worlds");
        double nanos = hours() * NANOS_PER_HOUR;
        Batch.Result result = batch.run(most, done -> done >= nanos || patience.isOver(), patience::told);
        double seconds = (around.timeline().nanos() - began) / 1e9;
        if (output.isJson()) {
            around.out().println(json(result));
            tell(around.err(), result, most);
        } else {
            around.out().println(line(result));
            tell(around.out(), result, most);
            around.out()
                    .println(text(
                            "base %s, hash %016x; %.1f s, %.0f simulated hours a minute",
                            from.text(), result.hash(), seconds, hours(result) * 60 / Math.max(seconds, 1e-3)));
        }
        return isGood(result) ? ExitCodes.DONE : ExitCodes.NOT_SO;
    }

    private static boolean isGood(Batch.Result result) {
        return result.isGood() || (result.violated() == 0 && result.seeds() < ENOUGH);
    }

    private int jobs() {
        int asked = jobs.orElseGet(() -> Runtime.getRuntime().availableProcessors());
        if (asked < 1) {
            throw Refusal.usage("--jobs " + asked + ": at least one");
        }
        return asked;
    }

    private long seeds() {
        if (!profile.equals("swarm")) {
            throw Refusal.usage(
                    "--profile " + profile + ": there is only swarm, where each seed draws its own mix of faults");
        }
        long asked = seeds.orElse(minutes.isPresent() || hours.isPresent() ? Long.MAX_VALUE : 1000L);
        if (asked < 1) {
            throw Refusal.usage("--seeds " + asked + ": at least one");
        }
        return asked;
    }

    private Optional<Duration> limit() {
        if (minutes.filter(m -> !(m > 0 && m <= 1_000_000)).isPresent()) {
            throw Refusal.usage("--minutes " + minutes.get() + ": more than none, and at most 1000000");
        }
        return minutes.map(m -> Duration.ofMillis((long) (m * 60_000)));
    }

    private double hours() {
        if (hours.filter(h -> !(h > 0 && h <= MOST_HOURS)).isPresent()) {
            throw Refusal.usage("--hours " + hours.get() + ": more than none, and at most " + MOST_HOURS);
        }
        return hours.orElse(Double.MAX_VALUE);
    }

    private static double hours(Batch.Result result) {
        return result.simulatedNanos() / NANOS_PER_HOUR;
    }

    private static String line(Batch.Result r) {
        long required = required(false);
        return text(
                "%d seeds, %.1f simulated hours, %d events, %d of %d marks hit (%d of %d rare ones), %d violation%s",
                r.seeds(),
                hours(r),
                r.events(),
                r.hit(false),
                required,
                r.hit(true),
                required(true),
                r.violated(),
                r.violated() == 1 ? "" : "s");
    }

    private static JsonObject json(Batch.Result r) {
        return new JsonObject()
                .put("seeds", r.seeds())
                .putDecimal("hours", hours(r))
                .put("events", r.events())
                .put("violations", r.violated())
                .put("marksHit", r.hit(false))
                .put("marksRequired", required(false))
                .put("rareMarksHit", r.hit(true));
    }

    private static void tell(PrintStream where, Batch.Result result, long asked) {
        for (Ending ending : result.violations()) {
            where.println(ending.replayLine());
            ending.violation().ifPresent(violation -> where.println("  " + violation.how()));
        }
        List<Milestone> missed = result.missed(false);
        if (!missed.isEmpty() && result.seeds() < ENOUGH) {
            where.println("too few worlds to hit every mark, as " + ENOUGH + " must: " + missed);
        } else if (!missed.isEmpty()) {
            where.println("required marks not hit: " + missed);
        }
        if (asked != Long.MAX_VALUE && result.seeds() < asked) {
            where.println("time for " + result.seeds() + " of " + asked + " seeds");
        }
    }

    private static long required(boolean rare) {
        return List.of(Milestone.values()).stream()
                .filter(m -> m.isRare() == rare)
                .count();
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
