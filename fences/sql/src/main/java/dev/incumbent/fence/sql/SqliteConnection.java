package dev.incumbent.fence.sql;

import dev.incumbent.fence.SinkException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteErrorCode;

/**
 * One connection that stays with the file's name: a file put in its place, or its log taken away, is noticed before an answer is given, and asked instead.
 *
 * <p>(An open connection goes on in a file that was deleted or replaced, and would answer of marks that nobody else sees; and a new one mixes a new log with the old
 * one's index, as long as any other connection of this process has that open. So it is refused then.) Asked by one thread; waits for locks in short steps, since SQLite's own back-off starves beside busy writers.
 */
final class SqliteConnection {
    private static final int MOST_REPLACEMENTS = 3;
    private static final long STEP_NANOS = 500_000;

    private final SqliteFile file;
    private volatile boolean givenUp;
    private BooleanSupplier answered = () -> false;
    private @Nullable Opened opened;

    private record Opened(Connection connection, OpenedFiles files) {}

    /** What is asked of an open file. May be asked again of another one. */
    interface Question<T> {
        T of(Connection connection) throws SQLException;
    }

    SqliteConnection(SqliteFile file) {
        this.file = file;
    }

    /** Answers for the file that is there, unless {@code answered} turns true while a lock is waited for. */
    <T> T ask(String doing, Question<T> question, BooleanSupplier answered) {
        this.answered = answered;
        for (int replaced = 0; replaced < MOST_REPLACEMENTS && !givenUp; replaced++) {
            Opened there = theFileThatIsThere();
            try {
                T answer = question.of(there.connection());
                there.files().ensureCurrent(there.connection());
                return answer;
            } catch (LostFilesException replacedMeanwhile) {
                close();
            } catch (SQLException failure) {
                boolean same = areCurrent(there);
                if (SqliteFile.primary(failure) != SQLiteErrorCode.SQLITE_BUSY) {
                    close();
                }
                if (same) {
                    throw file.failed(doing, failure);
                }
            }
        }
        throw new SinkException(file.label() + ": " + doing
                + (givenUp ? " ended: it is being closed" : " failed: its file was replaced time and again"));
    }

    private Opened theFileThatIsThere() {
        Opened current = opened;
        if (current != null && areCurrent(current)) {
            return current;
        }
        close();
        OpenedFiles files = unopened();
        Connection connection = file.open();
        try {
            BusyHandler.setHandler(connection, new Patience());
            SqliteQuestions.id(connection); // the first read makes the log, if there is to be one
            files.ensureCurrent(connection);
        } catch (SQLException failure) {
            closeQuietly(connection);
            throw failure instanceof LostFilesException
                    ? new SinkException(file.label() + ": " + failure.getMessage(), failure)
                    : file.failed("opening it", failure);
        }
        current = new Opened(connection, files);
        opened = current;
        return current;
    }

    private OpenedFiles unopened() {
        try {
            return OpenedFiles.at(file.path());
        } catch (SQLException unreadable) {
            throw file.failed("looking at it", unreadable);
        }
    }

    private boolean areCurrent(Opened there) {
        try {
            return there.files().areCurrent();
        } catch (SQLException unreadable) {
            throw file.failed("looking at it", unreadable);
        }
    }

    /** Waits for no lock any more. From any thread. */
    void giveUp() {
        givenUp = true;
    }

    void close() {
        Opened current = opened;
        opened = null;
        if (current != null) {
            closeQuietly(current.connection());
        }
    }

    private static void closeQuietly(Connection connection) {
        try {
            connection.close();
        } catch (SQLException ignored) {
            // Nothing is lost with it: what was acknowledged is in the file.
        }
    }

    /** Waits for a lock until the question is answered for, or all is given up. */
    private final class Patience extends BusyHandler {
        @Override
        protected int callback(int waitedBefore) {
            if (givenUp || answered.getAsBoolean()) {
                return 0;
            }
            LockSupport.parkNanos(STEP_NANOS);
            return 1;
        }
    }
}
