package dev.incumbent.cli.run;

import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.supervisor.LaunchSpec;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The flags that say by what means, and how long before the end of a lease, what CMD has started is killed. */
final class Confinement {
    private static final Duration LEAST = Duration.ofMillis(20);

    @Option(
            names = "--kill-reserve",
            paramLabel = "DUR",
            description = "From KILL to the end of the lease (150ms): more where CMD has thousands of descendants.")
    private Duration killReserve = LaunchSpec.KILL_RESERVE;

    @Option(
            names = "--cgroup",
            paramLabel = "auto|no|FOLDER",
            description =
                    "Below which control group (v2) CMD gets one of its own, to be killed as a whole; auto: ours, where it is delegated to us (auto).")
    private String cgroup = LaunchSpec.AUTOMATIC;

    Duration killReserve() {
        if (killReserve.compareTo(LEAST) < 0) {
            throw Refusal.usage("--kill-reserve is at least " + LEAST.toMillis() + "ms, this one is "
                    + killReserve.toMillis() + "ms");
        }
        return killReserve;
    }

    String cgroup() {
        if (!cgroup.equals(LaunchSpec.AUTOMATIC) && !cgroup.equals(LaunchSpec.NONE) && !cgroup.startsWith("/")) {
            throw Refusal.usage(
                    "--cgroup is auto, no, or the absolute path of a cgroup's folder, this one is '" + cgroup + "'");
        }
        return cgroup;
    }
}
