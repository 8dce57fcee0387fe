package dev.incumbent.cli.run;

import dev.incumbent.Elections;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.telling.DurationText;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that tell others of this candidate. */
public final class Who {
    private static final int LONGEST = 128;
    private static final Duration LONGEST_TENURE = Duration.ofDays(366);
    private static final int MOST_PRIORITY = CandidateRank.MOST_PRIORITY;

    @Option(
            names = "--name",
            paramLabel = "NAME",
            description = "What people know this candidate by (the host's name).")
    private @Nullable String name;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            description =
                    "Where clients find this process while it leads, such as 10.0.0.4:8080; status and observe tell it.")
    private @Nullable String address;

    @Option(
            names = "--priority",
            paramLabel = "N",
            description = {
                "Who has the greater one claims first, from -" + MOST_PRIORITY + " to " + MOST_PRIORITY + " (0).",
                "It only delays: a leader of a smaller one leads on, unless it --moves-to-better."
            })
    private int priority;

    @Option(
            names = "--app-version",
            paramLabel = "VERSION",
            description = "Of equal priority the newest claims first, such as 1.4.2 before 1.4.1; it only delays.")
    private @Nullable String version;

    @Option(
            names = "--oldest-first",
            description = "The oldest --app-version claims first, if all that tell one say so.")
    private boolean oldestFirst;

    @Option(names = "--zone", paramLabel = "ZONE", description = "Where it runs, such as eu-1.")
    private @Nullable String zone;

    @Option(
            names = "--preferred-zone",
            paramLabel = "ZONE",
            description =
                    "Of equal priority and version, who runs in another --zone claims after the others; needs --zone.")
    private @Nullable String preferredZone;

    @Option(
            names = "--moves-to-better",
            paramLabel = "DUR",
            description = {
                "While it leads, hands over to a candidate of a better rank, once its term has lasted so long",
                "(a lease to 366 days), and once for each change. For all candidates. Default: it leads on, whatever comes."
            })
    private @Nullable Duration movesToBetter;

    /** Refused where a value is not one word, or out of its bounds. */
    public void check() {
        checked("--name", name);
        checked("--address", address);
        notEmpty("--app-version", version);
        notEmpty("--zone", zone);
        notEmpty("--preferred-zone", preferredZone);
        if (preferredZone != null && zone == null) {
            throw Refusal.usage("--preferred-zone needs --zone: who runs in no zone is away from every one");
        }
        if (priority < -MOST_PRIORITY || priority > MOST_PRIORITY) {
            throw Refusal.usage(
                    "--priority is from -" + MOST_PRIORITY + " to " + MOST_PRIORITY + ", this one is " + priority);
        }
        try {
            rank();
        } catch (IllegalArgumentException none) {
            throw Refusal.usage(String.valueOf(none.getMessage()));
        }
    }

    /** The name that was given. */
    public Optional<String> name() {
        return Optional.ofNullable(name);
    }

    /** The address that was given. */
    public Optional<String> address() {
        return Optional.ofNullable(address);
    }

    /** By what it claims before or after others, as given. */
    public CandidateRank rank() {
        return new CandidateRank(
                priority,
                told(version).orElse(""),
                oldestFirst,
                told(zone).orElse(""),
                told(preferredZone).orElse(""));
    }

    /** After how long a term is handed over to a better rank; empty for never. */
    public Optional<Duration> movesToBetter() {
        return Optional.ofNullable(movesToBetter);
    }

    /** Refused where a term would be moved before it has lasted a lease, or after longer than a year. */
    public void check(Duration lease) {
        movesToBetter().filter(after -> after.compareTo(lease) < 0).ifPresent(after -> {
            throw Refusal.usage("--moves-to-better is at least the lease of " + DurationText.format(lease)
                    + ", this one is " + DurationText.format(after));
        });
        movesToBetter().filter(after -> after.compareTo(LONGEST_TENURE) > 0).ifPresent(after -> {
            throw Refusal.usage("--moves-to-better is at most " + DurationText.format(LONGEST_TENURE)
                    + ", which is 366 days, this one is " + DurationText.format(after));
        });
    }

    void tell(Elections.Builder builder) {
        builder.rank(rank());
        movesToBetter().ifPresent(builder::movesToBetter);
        name().ifPresent(builder::name);
        address().ifPresent(builder::address);
    }

    private static Optional<String> told(@Nullable String value) {
        return Optional.ofNullable(value);
    }

    /** Such as a variable of a shell that is not set. */
    private static void notEmpty(String flag, @Nullable String value) {
        if (value != null && value.isEmpty()) {
            throw Refusal.usage(flag + " has at least one character, this one is ''");
        }
    }

    private static void checked(String flag, @Nullable String value) {
        if (value != null
                && (value.isEmpty()
                        || value.length() > LONGEST
                        || !value.chars().allMatch(c -> c > ' ' && c != 0x7f))) {
            throw Refusal.usage(
                    flag + " has 1 to " + LONGEST + " characters without blanks, this one is '" + value + "'");
        }
    }
}
