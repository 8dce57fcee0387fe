package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.time.VirtualTimeline;
import dev.incumbent.wire.Json;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code lab} prints, and what it refuses. */
class LabVerbTest {
    private final Office office = new Office(new VirtualTimeline());

    @Test
    void aTableForEachScenarioHasARowForEachProtocol() {
        CommandRun run = office.run(
                "lab", "--protocols", "bully,raft", "--scenarios", "partition", "--members", "3", "--seeds", "2");

        assertThat(run.code()).isZero();
        assertThat(run.out())
                .startsWith("partition: the leader and a minority on one side")
                .containsPattern("(?m)^bully +3 +- +0\\.\\d\\d .* 3\\d\\.\\d\\d +0\\.00 .* \\d+ +\\d+ +100\\.0 %$")
                .containsPattern("(?m)^raft +3 +- .* 0\\.00 +\\d\\.\\d\\d .* 0 / 0 +0 / 0 +9\\d\\.\\d %$");
    }

    @Test
    void theSameFlagsPrintTheSameJson() throws Exception {
        String[] flags = {
            "lab",
            "--protocols",
            "lease+fence,ring",
            "--scenarios",
            "leader-crash,lossy",
            "--members",
            "3",
            "--seeds",
            "1",
            "-o",
            "json"
        };

        CommandRun once = office.run(flags);
        CommandRun again = office.run(flags);

        assertThat(again).isEqualTo(once);
        Json cells = Json.read(once.out().strip()).at("cells");
        assertThat(cells.items()).hasSize(4);
        assertThat(cells.items().get(0).at("protocol").text()).isEqualTo("lease+fence");
        assertThat(cells.items().get(0).at("writesLostFenced").kind()).isEqualTo(Json.Kind.NUMBER);
        assertThat(cells.items().get(1).at("writesLostFenced").kind()).isEqualTo(Json.Kind.NULL);
    }

    /** Ten thousand runs would take minutes. */
    @Test
    @Timeout(20)
    void aPageThatCannotBeWrittenIsRefusedBeforeTheRuns(@TempDir Path folder) {
        CommandRun run = office.run(
                "lab",
                "--seeds",
                "10000",
                "--html",
                folder.resolve("missing/lab.html").toString());

        assertThat(run.code()).isEqualTo(64);
        assertThat(run.err()).contains("missing/lab.html: it cannot be written there");
    }

    @Test
    void whatThereIsNotIsNamed() {
        assertThat(office.run("lab", "--protocols", "paxos").err())
                .contains("--protocols paxos: there is none of that name; incumbent lab --list has them all");
        assertThat(office.run("lab", "--members", "1").err()).contains("a group has 2 to 99 members, not 1");
        assertThat(office.run("lab", "--leases", "10ms").code()).isEqualTo(64);
        assertThat(office.run("lab", "--list").out()).contains("lease+fence", "store-failover");
    }
}
