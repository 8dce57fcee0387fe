package dev.incumbent.fence.sql;

import dev.incumbent.sql.HeldFiles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import org.sqlite.Function;
import org.sqlite.SQLiteConnection;

/**
 * A function of one connection to SQLite, which answers which files the connection has open. A pool lends the same connection to one fence after another: so only the first of them
 * looks through all that the process has open.
 */
final class FilesFunction extends Function {
    private static final String NAME = "incumbent_files";

    private final String answer;

    private FilesFunction(String answer) {
        this.answer = answer;
    }

    @Override
    protected void xFunc() throws SQLException {
        result(answer);
    }

    static void remember(Connection connection, Path database, HeldFiles held) {
        try {
            Function.create(
                    connection.unwrap(SQLiteConnection.class), NAME, new FilesFunction(held.text() + "\n" + database));
        } catch (SQLException itIsWrappedOrBusy) {
            // The next fence looks by itself.
        }
    }

    static Optional<OpenedFiles> remembered(Connection connection) throws SQLException {
        String answer = answer(connection);
        String[] lines = answer.split("\n", HeldFiles.LINES + 1);
        if (lines.length <= HeldFiles.LINES) {
            return Optional.empty();
        }
        String database = lines[HeldFiles.LINES];
        return Optional.of(
                OpenedFiles.at(Path.of(database), answer.substring(0, answer.length() - database.length() - 1)));
    }

    private static String answer(Connection connection) {
        try {
            return OpenedFiles.word(connection, "SELECT " + NAME + "()");
        } catch (SQLException thereIsNoSuchFunctionYet) {
            return "";
        }
    }
}
