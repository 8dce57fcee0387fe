package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite's result codes mean to a caller: one sentence that names the file, and whether the call may have applied. */
final class Failures {
    private static final int PRIMARY = 0xff;

    private Failures() {}

    /** An error before the commit was sent: the transaction is rolled back, nothing applied. */
    static CoordinatorException beforeCommit(Path file, SQLException e) {
        return of(file, e, false);
    }

    /** An error of the commit itself: not applied where SQLite says so, else perhaps. */
    static CoordinatorException ofCommit(Path file, SQLException e) {
        return of(file, e, true);
    }

    static CoordinatorException of(Path file, IOException e) {
        return new CoordinatorException("the coordinator file " + file + " cannot be looked at: " + e, false, e);
    }

    static boolean isBusy(SQLException e) {
        SQLiteErrorCode code = primary(e);
        return code == SQLiteErrorCode.SQLITE_BUSY || code == SQLiteErrorCode.SQLITE_LOCKED;
    }

    static boolean isCannotOpen(SQLException e) {
        return primary(e) == SQLiteErrorCode.SQLITE_CANTOPEN;
    }

    private static CoordinatorException of(Path file, SQLException e, boolean committing) {
        String what = "the coordinator file " + file;
        return switch (primary(e)) {
            case SQLITE_NOTADB -> new CoordinatorUnusableException(what + " is not a SQLite database", e);
            case SQLITE_CORRUPT ->
                new CoordinatorUnusableException(
                        what + " is damaged (" + code(e) + "); restore it, or remove it and start anew", e);
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH ->
                new CoordinatorUnusableException(what + " cannot be written (" + code(e) + ")", e);
            case SQLITE_CANTOPEN -> new CoordinatorUnusableException(what + " cannot be opened (" + code(e) + ")", e);
            case SQLITE_FULL -> new CoordinatorException("the disk that holds " + what + " is full", false, e);
            case SQLITE_BUSY, SQLITE_LOCKED ->
                new CoordinatorException(what + " stayed locked by another process", false, e);
            default -> new CoordinatorException(what + ": " + e.getMessage(), committing, e);
        };
    }

    private static SQLiteErrorCode primary(SQLException e) {
        return e instanceof SQLiteException sqlite
                ? SQLiteErrorCode.getErrorCode(sqlite.getResultCode().code & PRIMARY)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    private static String code(SQLException e) {
        return e instanceof SQLiteException sqlite ? sqlite.getResultCode().name() : "unknown";
    }
}
