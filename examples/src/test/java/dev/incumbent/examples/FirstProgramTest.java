package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first program as the page tells it: two processes in one folder, and the second takes over where the first ends. */
@Timeout(60)
class FirstProgramTest {
    @TempDir
    private Path folder;

    @Test
    void theSecondGoesOnWithAGreaterTokenWhereTheFirstEnds() throws Exception {
        Process first = start();
        Process second = null;
        try (BufferedReader told = first.inputReader()) {
            awaitLine(told, "I lead, token 1");
            awaitWritten("1");
            second = start();
            BufferedReader secondTold = second.inputReader();
            awaitLine(secondTold, "I stand");

            first.outputWriter().append('\n').close();

            awaitLine(secondTold, "I lead, token 2");
            awaitWritten("2");
            assertThat(first.waitFor()).isZero();
            second.outputWriter().append('\n').close();
            assertThat(second.waitFor()).isZero();
        } finally {
            first.destroyForcibly();
            if (second != null) {
                second.destroyForcibly();
            }
        }
        assertThat(tokens()).startsWith("1").contains("2").doesNotContain("21");
    }

    private Process start() throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FirstProgram.class.getName())
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static void awaitLine(BufferedReader told, String start) throws Exception {
        for (String line = told.readLine(); ; line = told.readLine()) {
            assertThat(line).as("before '" + start + "'").isNotNull();
            if (line.startsWith(start)) {
                return;
            }
        }
    }

    /** It leads before it has written anything: ended there, it would leave nothing. */
    private void awaitWritten(String token) throws Exception {
        while (!tokens().contains(token)) {
            Thread.onSpinWait();
        }
    }

    /** The tokens of all lines, in the order of writing; none before there is a ledger. */
    private String tokens() throws Exception {
        StringBuilder tokens = new StringBuilder();
        try (Connection ledger = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("ledger.db"));
                Statement sql = ledger.createStatement();
                ResultSet tables = sql.executeQuery("SELECT 1 FROM sqlite_master WHERE name = 'ledger'")) {
            if (tables.next()) {
                tokens.append(tokensIn(ledger));
            }
        }
        return tokens.toString();
    }

    private static StringBuilder tokensIn(Connection ledger) throws SQLException {
        StringBuilder tokens = new StringBuilder();
        try (Statement sql = ledger.createStatement();
                ResultSet rows = sql.executeQuery("SELECT token FROM ledger ORDER BY rowid")) {
            while (rows.next()) {
                tokens.append(rows.getLong(1));
            }
        }
        return tokens;
    }
}
