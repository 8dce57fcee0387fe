package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.wire.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The election is frozen, each sink is compared by a real command, and the report is kept. */
@Tag("patient")
@Timeout(90)
class ReconcileTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final SinkId LEDGER = new SinkId("S-ledger");

    @TempDir
    Path folder;

    private final OperatorRig rig = new OperatorRig(Duration.ofMinutes(1));

    /** Nobody has led for a while: so it is quiet at once. */
    @BeforeEach
    void plant() {
        rig.plant("job", LeaderRecord.EMPTY.vacated(7, Instant.EPOCH).withSinks(Map.of(LEDGER, "the ledger")));
        rig.sink()
                .raise(JOB, new Mark(new FencingToken(7), MarkOwner.ofOperator("ann")))
                .toCompletableFuture()
                .join();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void eachSinkIsComparedWhileItIsClosedAndTheReportIsKept() throws Exception {
        CommandRun run = reconcile(List.of(), "sh", "-c", "env | grep ^INCUMBENT_ | sort; echo compared 3 accounts");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out().lines())
                .anySatisfy(line -> assertThat(line).startsWith("job is frozen, number 8; sinks closed: 1, open: 0"))
                .anySatisfy(line -> assertThat(line).startsWith("memory:ledger: the same, after "))
                .contains("the report is " + folder.resolve("report/report.json"));
        assertThat(run.err())
                .contains("job stays frozen; to let the next term begin: incumbent thaw job --sink 'memory:ledger'");
        assertThat(Files.readAllLines(folder.resolve("report/1.out")))
                .containsExactly(
                        "INCUMBENT_ELECTION=job",
                        "INCUMBENT_MARK=8",
                        "INCUMBENT_SINK=memory:ledger",
                        "INCUMBENT_SINK_ID=S-ledger",
                        "INCUMBENT_SINK_NUMBER=1",
                        "compared 3 accounts");
        assertThat(rig.record("job").freeze().map(Freeze::why)).contains("reconcile");
        assertThat(Objects.requireNonNull(rig.ledger.marks().get(JOB)).owner()).isInstanceOf(MarkOwner.OfFreeze.class);
        Json report = report();
        assertThat(report.at("sound").flag()).isTrue();
        assertThat(report.at("sinks").items()).singleElement().satisfies(sink -> {
            assertThat(sink.at("verdict").text()).isEqualTo("the same");
            assertThat(sink.at("id").text()).isEqualTo("S-ledger");
            assertThat(sink.at("mark").text()).startsWith("8 of freeze:");
            assertThat(sink.at("conflicts").items()).isEmpty();
        });
    }

    @Test
    void whatDiffersStaysFrozenEvenWhereAThawWasAskedFor() throws Exception {
        CommandRun run = reconcile(List.of("--thaw"), "sh", "-c", "echo account 7 differs; exit 1");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).contains("memory:ledger: differs, after ");
        assertThat(rig.record("job").isFrozen()).isTrue();
        assertThat(report().at("sound").flag()).isFalse();
        assertThat(report().at("thaw").kind()).isEqualTo(Json.Kind.NULL);
        assertThat(Files.readString(folder.resolve("report/1.out"))).isEqualTo("account 7 differs\n");
    }

    @Test
    void whereAllIsWellItIsThawedIfAsked() throws Exception {
        CommandRun run = reconcile(List.of("--thaw", "-o", "json"), "true");

        assertThat(run.code()).as(run.err()).isZero();
        Json told = Json.read(run.out());
        assertThat(told.at("thaw").at("outcome").text()).isEqualTo("thawed");
        assertThat(told.at("report").text())
                .isEqualTo(folder.resolve("report/report.json").toString());
        assertThat(rig.record("job").isFrozen()).isFalse();
        assertThat(run.err()).doesNotContain("stays frozen");
    }

    @Test
    void aCommandThatFailsIsNoComparison() throws Exception {
        assertThat(reconcile(List.of(), "sh", "-c", "exit 7").out())
                .contains("memory:ledger: not compared: the command ended with 7, after ");
        assertThat(reconcile(
                                List.of("--report", "none"),
                                folder.resolve("nowhere").toString())
                        .out())
                .contains("memory:ledger: not compared: ", "nowhere");
        CommandRun late = reconcile(List.of("--report", "late", "--timeout", "500ms"), "sleep", "600");
        assertThat(late.code()).isEqualTo(1);
        assertThat(late.out()).contains("memory:ledger: not compared: the command was killed after 500ms");
        Json told = Json.read(Files.readString(folder.resolve("late/report.json")));
        assertThat(told.at("sinks").items().get(0).at("ms").number()).isBetween(500L, 30_000L);
        assertThat(rig.record("job").isFrozen()).isTrue();
    }

    @Test
    void withARecordedSinkThatIsNotGivenNothingIsCompared() {
        rig.plant(
                "two",
                LeaderRecord.EMPTY
                        .vacated(7, Instant.EPOCH)
                        .withSinks(Map.of(LEDGER, "the ledger", new SinkId("S-other"), "the other")));

        CommandRun run = rig.run(
                "reconcile",
                "two",
                "--sink",
                "memory:ledger",
                "--report",
                folder.resolve("report").toString(),
                "--",
                "true");

        assertThat(run.code()).isEqualTo(81);
        assertThat(run.err()).contains("nothing was compared", "sink the other is open");
        assertThat(folder.resolve("report")).doesNotExist();
        assertThat(rig.record("two").isFrozen()).isTrue();
    }

    @Test
    void aFreezeThatStandsKeepsItsReason() {
        rig.run("freeze", "job", "--why", "two ledgers", "--sink", "memory:ledger");

        assertThat(reconcile(List.of("--why", "another"), "true").code()).isZero();
        assertThat(rig.record("job").freeze().map(Freeze::why)).contains("two ledgers");
    }

    @Test
    void aReportIsNeverOverwrittenAndHasAFolderOfItsOwnByDefault() throws IOException {
        assertThat(reconcile(List.of(), "true").code()).isZero();
        CommandRun again = reconcile(List.of(), "true");
        assertThat(again.code()).isEqualTo(78);
        assertThat(again.err()).contains("has a report already: give another folder");

        CommandRun run = rig.run(
                Map.of("XDG_STATE_HOME", folder.toString()),
                "reconcile",
                "job",
                "--sink",
                "memory:ledger",
                "--",
                "true");
        assertThat(run.code()).as(run.err()).isZero();
        try (Stream<Path> runs = Files.list(folder.resolve("incumbent/reconcile/job"))) {
            assertThat(runs)
                    .singleElement()
                    .satisfies(one -> assertThat(one.resolve("report.json")).exists());
        }
    }

    @Test
    void whatCannotBeMeantIsRefused() {
        assertThat(rig.run("reconcile", "job", "--sink", "memory:ledger").code())
                .as("no command")
                .isEqualTo(64);
        assertThat(rig.run("reconcile", "job", "--", "true").code())
                .as("no sink")
                .isEqualTo(64);
        assertThat(reconcile(List.of("--timeout", "0s"), "true").code()).isEqualTo(64);
        assertThat(rig.run("reconcile", "nobody", "--sink", "memory:ledger", "--", "true")
                        .code())
                .as("no such election")
                .isEqualTo(1);
        assertThat(rig.record("job").freeze()).isEqualTo(Optional.empty());
    }

    /** A later {@code --report} is a folder beside the usual one. */
    private CommandRun reconcile(List<String> flags, String... command) {
        List<String> words = new ArrayList<>(List.of("reconcile", "job", "--sink", "memory:ledger"));
        List<String> own = new ArrayList<>(flags);
        int report = own.indexOf("--report");
        if (report >= 0) {
            own.set(report + 1, folder.resolve(own.get(report + 1)).toString());
        } else {
            own.addAll(List.of("--report", folder.resolve("report").toString()));
        }
        words.addAll(own);
        words.add("--");
        words.addAll(List.of(command));
        return rig.run(words.toArray(new String[0]));
    }

    private Json report() throws Exception {
        return Json.read(Files.readString(folder.resolve("report/report.json")));
    }
}
