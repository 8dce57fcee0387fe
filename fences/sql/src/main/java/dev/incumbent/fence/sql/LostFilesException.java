package dev.incumbent.fence.sql;

import java.nio.file.Path;
import java.sql.SQLNonTransientConnectionException;

/** A connection to SQLite works on files that nobody else sees, or without its lock: what it writes counts for nothing until it is closed and opened again. */
final class LostFilesException extends SQLNonTransientConnectionException {
    private static final long serialVersionUID = 1L;

    private static final String CONNECTION_FAILURE = "08006";
    private static final String RESOLUTION_UNKNOWN = "08007";

    private LostFilesException(String reason, String state) {
        super(reason, state);
    }

    static LostFilesException replaced(Path database) {
        return lost(
                database,
                "it, or the log beside it, is not the file that this process has open: it was deleted or replaced",
                CONNECTION_FAILURE);
    }

    static LostFilesException unlocked(Path database) {
        return lost(
                database,
                "others may have written beside this transaction, because its lock is gone: something in this process has"
                        + " opened and closed the file, or one beside it",
                CONNECTION_FAILURE);
    }

    /** Only after a commit. */
    static LostFilesException uncertain(Path database) {
        return lost(
                database,
                "it, or the log beside it, was deleted or replaced during the commit, so that it is uncertain whether"
                        + " the file has what was committed",
                RESOLUTION_UNKNOWN);
    }

    private static LostFilesException lost(Path database, String why, String state) {
        return new LostFilesException(
                database + ": " + why + "; close all connections of this process to it, then open them again", state);
    }
}
