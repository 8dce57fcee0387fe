package dev.incumbent.cli.run;

import dev.incumbent.Elections;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.model.Candidate;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that tell others of this candidate. */
public final class Who {
    private static final int LONGEST = 128;

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
                "Who has the greater one claims first, from -" + Candidate.MOST_PRIORITY + " to "
                        + Candidate.MOST_PRIORITY + " (0).",
                "It only delays: a leader of a smaller one leads on."
            })
    private int priority;

    /** Refused where a value is not one word, or out of its bounds. */
    public void check() {
        checked("--name", name);
        checked("--address", address);
        if (priority < -Candidate.MOST_PRIORITY || priority > Candidate.MOST_PRIORITY) {
            throw Refusal.usage("--priority is from -" + Candidate.MOST_PRIORITY + " to " + Candidate.MOST_PRIORITY
                    + ", this one is " + priority);
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

    /** The priority that was given; 0 without. */
    public int priority() {
        return priority;
    }

    void tell(Elections.Builder builder) {
        builder.priority(priority);
        name().ifPresent(builder::name);
        address().ifPresent(builder::address);
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
