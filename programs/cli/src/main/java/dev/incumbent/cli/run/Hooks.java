package dev.incumbent.cli.run;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags that name commands for {@code sh -c}, besides the one that is run. */
final class Hooks {
    @Option(
            names = "--on-acquire",
            paramLabel = "CMD",
            description = "Run by sh before CMD starts; if it fails, or lasts a lease, leadership is given up.")
    private @Nullable String onAcquire;

    @Option(
            names = "--on-lost",
            paramLabel = "CMD",
            description =
                    "Run by sh, for at most a lease, when leadership has ended while CMD ran; why is in INCUMBENT_REASON.")
    private @Nullable String onLost;

    Optional<String> onAcquire() {
        return Optional.ofNullable(onAcquire);
    }

    Optional<String> onLost() {
        return Optional.ofNullable(onLost);
    }
}
