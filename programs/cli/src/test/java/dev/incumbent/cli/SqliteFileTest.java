package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The command line over real files, found as the program finds them. */
class SqliteFileTest {
    private final SystemTimeline timeline = new SystemTimeline();

    @TempDir
    Path folder;

    @AfterEach
    void endTheTimeline() {
        timeline.close();
    }

    @Test
    void verbsThatReadNeverCreateTheStore() throws IOException {
        for (String line : List.of(
                "status",
                "history job",
                "check job --token 1",
                "doctor",
                "wait job --for leader --timeout 50ms",
                "status -o json")) {
            CommandRun run = run(line);

            assertThat(run.code()).as(line + ": " + run.err()).isIn(0, 1, 4);
        }

        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "status",
                "history job",
                "check job --token 1",
                "doctor",
                "observe job",
                "freeze job --why x",
                "cordon h1 --why x",
                "uncordon h1",
                "resign job"
            })
    void aFileThatWasAskedForAndIsNotThereIsUnreachableAndStaysSo(String line) throws IOException {
        CommandRun file = run(line + " --at file:" + folder.resolve("x.db"));
        CommandRun nowhere = run(line + " --at jdbc:sqlite:" + folder.resolve("nowhere/x.db"));

        assertThat(file.code()).isEqualTo(69);
        assertThat(file.err())
                .contains("there is no file " + folder.resolve("x.db"))
                .hasLineCount(1);
        assertThat(nowhere.code()).isEqualTo(69);
        assertThat(nowhere.err())
                .contains("there is no folder " + folder.resolve("nowhere"))
                .hasLineCount(1);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    void waitWaitsForAFileToo() {
        CommandRun wait = run("wait job --for leader --timeout 50ms --at file:" + folder.resolve("x.db"));

        assertThat(wait.code()).isEqualTo(1);
        assertThat(wait.err()).contains("there is no file " + folder.resolve("x.db") + "; waits for it");
    }

    @Test
    void installMakesAFileThatIsNotThere() {
        assertThat(run("install --at file:" + folder.resolve("x.db")).code()).isZero();
        assertThat(run("status --at file:" + folder.resolve("x.db")).code()).isZero();
    }

    @Test
    void theStoreLiesInTheUsersStateFolderUnlessToldOtherwise() {
        run("install");

        assertThat(folder.resolve("incumbent/coordinator.db")).exists();
    }

    @Test
    void aFreezeOfOneProcessIsSeenByTheStatusOfAnother() {
        assertThat(run("freeze job --why test").code()).isZero();

        CommandRun status = run("status -o json");

        assertThat(status.out()).contains("\"election\":\"job\"", "\"frozen\":{\"by\":", "\"why\":\"test\"");
        assertThat(run("wait job --for vacant").code()).isZero();
        assertThat(run("doctor job").out())
                .contains("a lease of 15000 ms was asked for, and one of 15000 ms is granted");
    }

    @Test
    void aCordonOfOneProcessIsSeenByTheStatusOfAnotherAndTakenBackByAThird() {
        run("freeze job --why test");
        run("thaw job");

        CommandRun cordon = run("cordon h1 --why disk");
        CommandRun status = run("status job -o json");
        CommandRun uncordon = run("uncordon h1");

        assertThat(cordon.out()).as(cordon.err()).isEqualTo("h1 is cordoned in job\n");
        assertThat(cordon.err()).contains("nobody of h1 leads or stands in any election here now");
        assertThat(status.out()).contains("\"cordons\":[{\"whom\":\"h1\",\"by\":", "\"why\":\"disk\"");
        assertThat(uncordon.out()).isEqualTo("h1 is not cordoned in job\n");
        assertThat(run("status job -o json").out()).contains("\"cordons\":[]");
    }

    @Test
    void aFileThatIsNoStoreIsAMatterOfConfiguration() throws IOException {
        Path file = Files.writeString(
                folder.resolve("notes.txt"), "no database, and quite certainly none of ours\n".repeat(100));

        CommandRun status = run("status --at file:" + file);

        assertThat(status.code()).isEqualTo(78);
        assertThat(status.err()).hasLineCount(1).contains("notes.txt");
    }

    @Test
    void aSinkIsInstalledRaisedAndRead() {
        String sink = " --sink jdbc:sqlite:" + folder.resolve("ledger.db");

        assertThat(run("fence status" + sink).code()).isEqualTo(81);
        assertThat(run("fence install" + sink).code()).isZero();
        assertThat(run("fence raise job --token 5" + sink).code()).isZero();
        assertThat(run("fence raise job --token 4" + sink).code()).isEqualTo(81);
        assertThat(run("fence status -o json" + sink).out()).contains("\"election\":\"job\",\"token\":5");
    }

    private CommandRun run(String line) {
        World world = new World(
                timeline,
                ServiceLoader.load(CoordinatorProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList(),
                ServiceLoader.load(SinkProvider.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList());
        return CommandRun.of(
                new Incumbent(), new Verbs(), Map.of("XDG_STATE_HOME", folder.toString()), world, line.split(" "));
    }
}
