package dev.incumbent.fence.sql;

import dev.incumbent.sql.FileIdentity;
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
    private static final int PARTS = 4;

    private final String answer;

    private FilesFunction(String answer) {
        this.answer = answer;
    }

    @Override
    protected void xFunc() throws SQLException {
        result(answer);
    }

    static void remember(Connection connection, Path database, FileIdentity opened) {
        String answer = String.join("\n", opened.database(), opened.log(), opened.index(), database.toString());
        try {
            Function.create(connection.unwrap(SQLiteConnection.class), NAME, new FilesFunction(answer));
        } catch (SQLException itIsWrappedOrBusy) {
            // The next fence looks by itself.
        }
    }

    static Optional<OpenedFiles> remembered(Connection connection) throws SQLException {
        String[] parts = answer(connection).split("\n", PARTS);
        return parts.length < PARTS
                ? Optional.empty()
                : Optional.of(OpenedFiles.at(Path.of(parts[3]), new FileIdentity(parts[0], parts[1], parts[2])));
    }

    private static String answer(Connection connection) {
        try {
            return OpenedFiles.word(connection, "SELECT " + NAME + "()");
        } catch (SQLException thereIsNoSuchFunctionYet) {
            return "";
        }
    }
}
