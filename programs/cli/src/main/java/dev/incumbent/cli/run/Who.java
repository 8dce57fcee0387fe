package dev.incumbent.cli.run;

import dev.incumbent.Elections;
import dev.incumbent.cli.frame.Refusal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that tell others of this candidate. */
final class Who {
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

    /** Refused where a value is not one word. */
    void check() {
        checked("--name", name);
        checked("--address", address);
    }

    void tell(Elections.Builder builder) {
        if (name != null) {
            builder.name(name);
        }
        if (address != null) {
            builder.address(address);
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
