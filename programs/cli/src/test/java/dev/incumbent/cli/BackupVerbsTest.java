package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.cli.frame.CommandRun.World;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code server snapshot} and {@code server restore} do with files and folders; with nodes they are tried by scripts/accept-disasters. */
class BackupVerbsTest {
    private static final String HEADER = """
            INCUMBENT-SNAPSHOT\t1
            CLUSTER\tc1
            NODE\tn2
            LEVEL\t1
            AT\t41\te1
            TAKEN\t2026-11-24T10:00:00Z
            """;
    private static final String TABLE = """
            LEVEL\t1
            EPOCH\t1\te1
            LEASE\tL1\tada\t40000\t3
            ELECTION\tbilling\t40\tn1\tL1\t{"v":1,"term":7,"leader":{"id":"ada@h1","name":"ada"},"lease":"L1",\
            "leaseLength":"PT40S","since":"2026-11-24T09:00:00Z","nonce":"n1"}
            ELECTION\tlater\t41\tn2\t\t{"v":9}
            """;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void save() throws IOException {
        file = Files.writeString(folder.resolve("monday"), HEADER + "SHA-256\t" + sum(HEADER + TABLE) + "\n" + TABLE);
    }

    @Test
    void checkTellsWhatASnapshotHolds() {
        CommandRun run = run("server", "snapshot", "check", file.toString());

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith("whole " + file + ": position 41 of quorum c1, level 1, taken 2026-11-24T10:00:00Z by n2;"
                        + " 2 elections (0 frozen), 1 leases\n")
                .contains("billing", "ada", "(not for this version)");
        assertThat(run.code()).isZero();
        assertThat(run("server", "snapshot", "check", file.toString(), "-o", "json")
                        .out())
                .contains(
                        "\"result\":\"whole\"", "\"index\":41", "\"epoch\":\"e1\"", "\"state\":\"" + sum(TABLE) + "\"");
    }

    @Test
    void aFileThatIsDamagedOrMissingIsOneSentence() throws IOException {
        Files.writeString(file, Files.readString(file).replace("\"term\":7", "\"term\":8"));

        for (String[] verb : new String[][] {
            {"server", "snapshot", "check", file.toString()},
            {"server", "restore", file.toString(), "--name", "n1", "--data", data().toString()}
        }) {
            assertRefused(run(verb), 78, file + " is not as it was written: its sum differs");
        }
        assertRefused(run("server", "snapshot", "check", "/nowhere/monday"), 78, "/nowhere/monday cannot be read");
        assertThat(data()).doesNotExist();
    }

    @Test
    void restorePreparesAnEmptyFolderAndSaysWhatIsLostAndWhatFollows() throws IOException {
        CommandRun run = run("server", "restore", file.toString(), "--name", "n1", "--data", data().toString());

        assertThat(run.code()).isZero();
        assertThat(run.out()).startsWith("restored " + file);
        assertThat(run.err())
                .contains("what was acknowledged after 2026-11-24T10:00:00Z is lost")
                .contains("terms are lifted by 1000000; frozen elections stay frozen; nobody leads until 40000 ms")
                .contains("leaves the records of [later] as they are")
                .contains("incumbent doctor");
        assertThat(Files.readAllLines(data().resolve("marker")).get(0))
                .startsWith("SELF\tn1 at level 1, which needs a newer build\t");
        assertRefused(
                run("server", "restore", file.toString(), "--name", "n1", "--data", data().toString()),
                78,
                "is not empty");
    }

    @Test
    void restoreTellsTheSameInJson() {
        CommandRun run = run(
                "server",
                "restore",
                file.toString(),
                "--name",
                "n1",
                "--data",
                data().toString(),
                "--lift",
                "5",
                "--quiet",
                "3s",
                "-o",
                "json");

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains("\"lift\":5", "\"quietMillis\":3000", "\"elections\":2", "\"withoutSinks\":1")
                .contains("\"notLifted\":[\"later\"]");
    }

    @Test
    void whatCannotBeMeantIsUsage() throws IOException {
        Path there = Files.createFile(folder.resolve("there"));

        assertRefused(
                run("server", "snapshot", "save", "x", "--at", "file:/tmp/c.db"), 64, "and --at says file:/tmp/c.db");
        assertRefused(
                run("server", "snapshot", "save", there.toString(), "--at", "quorum://127.0.0.1:1"),
                78,
                "already; --force replaces it");
        assertRefused(
                run("server", "restore", file.toString(), "--name", "n1", "--data", data().toString(), "--lift", "-1"),
                64,
                "--lift is 0 to");
        assertThat(run("server", "restore", file.toString()).err()).contains("--name", "--data");
        assertRefused(run("server", "--name", "n1"), 64, "--data is missing");
        assertThat(run("server", "snapshot").code()).isEqualTo(64);
    }

    @Test
    void aQuorumThatCannotBeReachedIsOneSentence() {
        assertRefused(
                run("server", "snapshot", "save", folder.resolve("new").toString(), "--at", "quorum://127.0.0.1:1"),
                69,
                "no node of quorum://127.0.0.1:1 could answer");
        assertThat(folder.resolve("new")).doesNotExist();
    }

    private Path data() {
        return folder.resolve("data");
    }

    private static void assertRefused(CommandRun run, int code, String why) {
        assertThat(run.err()).contains(why).hasLineCount(1);
        assertThat(run.code()).isEqualTo(code);
        assertThat(run.out()).isEmpty();
    }

    private static String sum(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static CommandRun run(String... words) {
        return CommandRun.of(new Incumbent(), new Verbs(), Map.of(), World.empty(), words);
    }
}
