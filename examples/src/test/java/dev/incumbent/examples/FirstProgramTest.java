package dev.incumbent.examples;

import static org.assertj.core.api.Assertions.assertThat;

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
        try (StartedProgram first = StartedProgram.of(FirstProgram.class, folder)) {
            first.awaitLine("I lead, token 1");
            awaitWritten("1");
            try (StartedProgram second = StartedProgram.of(FirstProgram.class, folder)) {
                second.awaitLine("I stand");

                first.pressEnter();

                second.awaitLine("I lead, token 2");
                awaitWritten("2");
                assertThat(first.awaitEnd()).isZero();
                second.pressEnter();
                assertThat(second.awaitEnd()).isZero();
            }
        }
        assertThat(tokens()).startsWith("1").contains("2").doesNotContain("21");
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
