package dev.incumbent.cli.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Is a coordinator that runs on this machine kept waiting for its processors? The kernel tells how much of the last ten seconds some task waited for one. */
final class HostLoad {
    private static final String CHECK = "load";
    private static final double TOO_MUCH = 50;
    private static final Pattern LOCAL =
            Pattern.compile("^(file|jdbc:sqlite|sqlite):|[/@,](localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1])([:/,?]|$)");
    private static final Pattern SOME = Pattern.compile("(?m)^some avg10=(\\d+\\.\\d+)");

    private final Path proc;

    HostLoad(Path proc) {
        this.proc = proc;
    }

    /** Nothing where the coordinator is elsewhere, or the kernel does not tell. */
    List<Finding> findings(String uri) {
        return LOCAL.matcher(uri).find()
                ? waited().map(HostLoad::judged).stream().toList()
                : List.of();
    }

    private Optional<Double> waited() {
        try {
            Matcher some = SOME.matcher(Files.readString(proc.resolve("pressure/cpu")));
            return some.find() ? Optional.of(Double.valueOf(some.group(1))) : Optional.empty();
        } catch (IOException notTold) {
            return Optional.empty();
        }
    }

    private static Finding judged(double waited) {
        String told = "the coordinator is on this machine, where tasks waited for a processor in " + Math.round(waited)
                + " % of the last ten seconds";
        return waited < TOO_MUCH
                ? Finding.well(CHECK, told)
                : Finding.wrong(
                        CHECK, told + ": its answers may come too late for a lease; give it processors of its own");
    }
}
