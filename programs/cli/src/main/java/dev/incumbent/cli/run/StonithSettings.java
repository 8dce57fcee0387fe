package dev.incumbent.cli.run;

import dev.incumbent.Stonith;
import dev.incumbent.cli.frame.Refusal;
import dev.incumbent.model.Timing;
import dev.incumbent.protocol.StonithSetup;
import dev.incumbent.stonith.FenceLevels;
import dev.incumbent.stonith.LocalNode;
import dev.incumbent.stonith.ProgramFenceAgent;
import dev.incumbent.stonith.StonithFile;
import dev.incumbent.telling.DurationText;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** What the flags of STONITH say, checked: fence devices, this machine's name, and an agent's time. */
record StonithSettings(FenceLevels levels, LocalNode here, Optional<Duration> timeout) {
    /** Each command of a run has its candidate's id there. */
    private static final String MARK = "INCUMBENT_CANDIDATE";

    private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
    private static final Path NAMESPACE = Path.of("/proc/self/ns/uts");

    /** The kernel's first namespace of host names has that number (PROC_UTS_INIT_INO); a container's has another. */
    private static final String OF_THE_MACHINE = "uts:[4026531838]";

    static StonithSettings read(Path file, Optional<String> node, Optional<Duration> timeout) {
        timeout.filter(bound -> bound.compareTo(ProgramFenceAgent.LEAST_BOUND) < 0)
                .ifPresent(bound -> {
                    throw Refusal.usage(
                            "--stonith-timeout is at least " + DurationText.format(ProgramFenceAgent.LEAST_BOUND)
                                    + ", this one is " + DurationText.format(bound));
                });
        LocalNode here;
        try {
            here = LocalNode.named(node.orElseGet(StonithSettings::hostName)).markedBy(MARK);
        } catch (IllegalArgumentException none) {
            throw Refusal.usage("--stonith-node: " + none.getMessage());
        }
        try {
            return new StonithSettings(StonithFile.levels(file), here, timeout);
        } catch (IllegalArgumentException unusable) {
            throw Refusal.configuration("--stonith: " + unusable.getMessage());
        }
    }

    private static String hostName() {
        try {
            return nameOf(
                    Files.readString(HOST_NAME).strip(),
                    Files.readSymbolicLink(NAMESPACE).toString());
        } catch (IOException untold) {
            throw Refusal.configuration("--stonith: " + HOST_NAME + " or " + NAMESPACE
                    + " cannot be read, so name this machine by --stonith-node");
        }
    }

    /** A name that another machine may have, too, would be a false proof: who has it and another boot id counts as started anew. */
    static String nameOf(String host, String namespace) {
        if (!namespace.equals(OF_THE_MACHINE) || host.startsWith("localhost")) {
            throw Refusal.configuration(
                    "--stonith: '" + host
                            + "' is a container's name, or every machine's, and no machine's own: name this machine by --stonith-node, as no other is called");
        }
        return host;
    }

    /** The same, for a process that leads for other programs: its end does not end their work. */
    StonithSettings forOthers() {
        return new StonithSettings(levels, here.forOthers(), timeout);
    }

    Stonith in(Timing timing, Timeline timeline) {
        Duration most = timing.validFor().minus(timing.requestTimeout());
        Duration bound = timeout.orElse(most);
        Duration least = ProgramFenceAgent.LEAST_BOUND.multipliedBy(levels.most());
        if (bound.compareTo(least) < 0) {
            throw Refusal.configuration("--stonith needs at least " + DurationText.format(least)
                    + (levels.most() > 1 ? " for the " + levels.most() + " levels of a node" : " for an agent")
                    + timeout.map(own -> ", and --stonith-timeout is " + DurationText.format(own))
                            .orElse(", and a lease of " + DurationText.format(timing.lease()) + " leaves "
                                    + most.toMillis() + "ms: make --lease longer"));
        }
        try {
            new StonithSetup(here.boot(), bound).checkAgainst(timing);
            return new Stonith(here.boot(), bound, new ProgramFenceAgent(here, levels, timeline));
        } catch (IllegalArgumentException unusable) {
            throw Refusal.configuration("--stonith: " + unusable.getMessage());
        }
    }
}
