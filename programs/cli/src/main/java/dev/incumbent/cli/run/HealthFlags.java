package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.telling.DurationText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that ask whether this process can do the work. Their values are read elsewhere, so that a run without them loads no class of the checks. */
final class HealthFlags {
    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration MOST = Duration.ofHours(1);
    private static final int MOST_ANSWERS = 100;
    private static final int MOST_CHECKS = 32;

    @Option(
            names = "--health-cmd",
            paramLabel = "CMD",
            description =
                    "Run by sh every third of a lease, for at most so long; while it fails, this process neither leads nor stands.")
    private @Nullable String command;

    @Option(
            names = "--health-http",
            paramLabel = "URL",
            description =
                    "Asked by GET as often; while it does not answer 2xx, this process neither leads nor stands. May come more than once.")
    private List<String> urls = List.of();

    @Option(
            names = "--health-disk",
            paramLabel = "PATH=MIN",
            description =
                    "While less is free there (/var/lib=500MB, /var/lib=5%%), this process neither leads nor stands. May come more than once.")
    private List<String> disks = List.of();

    @Option(
            names = "--health-every",
            paramLabel = "DUR",
            description = "From one question about health to the next, and for an answer (a third of the lease).")
    private @Nullable Duration every;

    @Option(
            names = "--health-after",
            paramLabel = "K",
            description =
                    "So many bad answers in a row count as sick, so many good ones as well; the first decides alone (1).")
    private @Nullable Integer after;

    /** What was asked for, checked; empty where nothing asks. */
    Optional<HealthPlan> plan(Duration lease) {
        if (command == null && urls.isEmpty() && disks.isEmpty()) {
            refuseAlone("--health-every", every);
            refuseAlone("--health-after", after);
            return Optional.empty();
        }
        if (urls.size() + disks.size() > MOST_CHECKS) {
            throw Refusal.usage("--health-http and --health-disk come at most " + MOST_CHECKS + " times, not "
                    + (urls.size() + disks.size()));
        }
        return Optional.of(new HealthPlan(
                Optional.ofNullable(command), HealthValues.checks(urls, disks), every(lease), checkedAfter()));
    }

    private static void refuseAlone(String flag, @Nullable Object value) {
        if (value != null) {
            throw Refusal.usage(flag + " has no effect without --health-cmd, --health-http or --health-disk");
        }
    }

    private Duration every(Duration lease) {
        if (every == null) {
            Duration third = lease.dividedBy(3);
            return third.compareTo(MOST) < 0 ? third : MOST;
        }
        if (every.compareTo(LEAST) < 0 || every.compareTo(MOST) > 0) {
            throw Refusal.usage("--health-every is " + DurationText.format(LEAST) + " to " + DurationText.format(MOST)
                    + ", this one is " + DurationText.format(every));
        }
        return every;
    }

    private int checkedAfter() {
        if (after == null) {
            return 1;
        }
        if (after < 1 || after > MOST_ANSWERS) {
            throw Refusal.usage("--health-after is 1 to " + MOST_ANSWERS + ", this one is " + after);
        }
        return after;
    }
}
