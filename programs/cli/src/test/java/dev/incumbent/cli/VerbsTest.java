package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerbsTest {
    private final Office office = new Office(new VirtualTimeline());

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void everyVerbHasHelpWithAWorkedExample(String name) {
        String[] words = (name + " --help").split(" ");

        CommandRun help = office.run(words);

        assertThat(help.code()).isZero();
        assertThat(help.out()).contains("Usage: incumbent " + name, "Example:", "  $ ");
        assertThat(help.out().lines())
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(140));
    }

    @Test
    void theHelpNamesEveryVerb() {
        CommandRun help = office.run("--help");

        assertThat(help.out())
                .contains(names().stream().filter(name -> !name.contains(" ")).toList());
        assertThat(office.run("fence", "--help").out()).contains("install", "status", "raise");
    }

    @Test
    void helpBeforeAVerbIsItsHelp() {
        assertThat(office.run("help")).isEqualTo(office.run("--help"));
        assertThat(office.run("help", "status")).isEqualTo(office.run("status", "--help"));
        assertThat(office.run("help", "fence", "raise")).isEqualTo(office.run("fence", "raise", "--help"));
    }

    @Test
    void aMisspeltVerbIsRefusedAlsoWhereHelpIsWished() {
        assertThat(office.run("help", "stauts").err()).startsWith("incumbent: no verb 'stauts' (near: status");
        assertThat(office.run("help", "stauts").code()).isEqualTo(64);
        assertThat(office.run("stauts", "--help").code()).isEqualTo(64);
        assertThat(office.run("fence", "raze", "--help").code()).isEqualTo(64);
        assertThat(office.run("fence", "raze", "--help").out()).isEmpty();
    }

    @Test
    void completionKnowsVerbsWithinGroupsAndTheirFlags() {
        assertThat(office.run("completion").out())
                .contains("fence", "--sink", "--at")
                .startsWith("#!/usr/bin/env bash");
    }

    @Test
    void runWithoutTwoDashesRunsNothing() {
        CommandRun run = office.run("run", "job", "./args.sh", "--name", "whoami");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .isEqualTo(
                        "incumbent: -- is missing before the command: incumbent run job -- ./args.sh --name whoami\n");
        assertThat(office.run("run", "--help").out())
                .startsWith("Usage: incumbent run [OPTION]... ELECTION -- CMD [ARG]...\n");
    }

    @Test
    void aLeaseThatIsTooShortIsToldTheShortestThatThisCoordinatorTakes() {
        CommandRun run = office.runOver(FourSeconds::new, Map.of(), "run", "job", "--lease", "1ms", "--", "true");

        assertThat(run.code()).isEqualTo(78);
        assertThat(run.err())
                .startsWith("incumbent: --lease 1ms is too short: the shortest that this coordinator takes with these"
                        + " flags is 4s; ");
    }

    /** Grants no lease below four seconds. */
    private static final class FourSeconds extends ForwardingCoordinator {
        FourSeconds(Coordinator within) {
            super(within);
        }

        @Override
        public Capabilities capabilities() {
            Capabilities can = inner().capabilities();
            return new Capabilities(
                    Duration.ofSeconds(4),
                    can.leaseGranularity(),
                    can.expiryLag(),
                    can.pushesChanges(),
                    can.provesCurrency(),
                    can.expiryJudgedBy(),
                    can.consistency());
        }
    }

    @Test
    void aDriftBoundThatIsNoneIsRefusedInOneSentence() {
        CommandRun run = office.run("run", "job", "--drift-bound", "fast", "--", "true");

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err())
                .contains("'fast' is no drift bound; write auto, or 0 to 0.1 as 0.001, 1000ppm or 0.1%")
                .hasLineCount(1);
    }

    @Test
    void theVersionIsTheBuilds() {
        assertThat(office.run("--version").out()).matches("incumbent \\d+\\.\\d+\\.\\d+.*\n");
    }

    static List<String> names() {
        return new Verbs().names();
    }
}
