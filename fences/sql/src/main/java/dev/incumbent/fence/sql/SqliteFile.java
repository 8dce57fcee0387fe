package dev.incumbent.fence.sql;

import dev.incumbent.fence.SinkException;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.sql.Mounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.sqlite.JDBC;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/** The file of one SQLite sink, by its absolute path: what its URL says, how it is opened, and what its errors mean to people. */
record SqliteFile(Path path) {
    static SqliteFile of(String url) {
        String path = url.replaceFirst("^(jdbc:)?sqlite:", "");
        if (path.isEmpty() || path.startsWith(":memory:") || path.startsWith("file:") || path.contains("?")) {
            throw new IllegalArgumentException(
                    "'" + url + "' names no file: a SQLite sink is sqlite:PATH, without parameters");
        }
        return new SqliteFile(Path.of(path).toAbsolutePath());
    }

    String label() {
        return "sqlite:" + path;
    }

    /** Opens the file that is there; its statements run in autocommit, durably. */
    Connection open() {
        if (!Files.exists(path)) {
            throw new SinkException(label()
                    + ": there is no such file; a sink is installed with: incumbent fence install --sink " + label());
        }
        return connect(false);
    }

    /** Opens the file, or an empty one in a folder that is there. */
    Connection create() {
        Path folder = path.getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new SinkException(label() + ": there is no folder " + folder);
        }
        return connect(true);
    }

    private Connection connect(boolean create) {
        refuseNetwork();
        refuseASingleFile();
        var config = new SQLiteConfig();
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        if (!create) {
            config.resetOpenMode(SQLiteOpenMode.CREATE);
        }
        Properties properties = config.toProperties();
        try {
            return new JDBC().connect("jdbc:sqlite:" + path, properties);
        } catch (SQLException failure) {
            throw failed("opening it", failure);
        }
    }

    private void refuseNetwork() {
        try {
            Path there = Files.exists(path) ? path : path.getParent();
            refuseShared(there == null ? "" : Files.getFileStore(there).type());
        } catch (IOException unreadable) {
            throw new SinkException(label() + " cannot be looked at: " + unreadable, unreadable);
        }
    }

    void refuseShared(String type) {
        if (FileSystems.isShared(type)) {
            throw new SinkException(label() + " lies on a file system (" + type
                    + ") that other machines may share, where SQLite's locks do not hold");
        }
    }

    private void refuseASingleFile() {
        if (Mounts.isSingleFile(path)) {
            throw new SinkException(label()
                    + " is mounted as a single file, so its log and its locks are not shared with the others that use it;"
                    + " mount its folder");
        }
    }

    /** What a failure of the driver means, in one sentence. */
    SinkException failed(String doing, SQLException failure) {
        return new SinkException(label() + ": " + doing + " failed: " + meaning(failure), failure);
    }

    private static String meaning(SQLException failure) {
        String message = String.valueOf(failure.getMessage());
        if (message.contains("no such table: incumbent_") || message.contains("no such table: main.incumbent_")) {
            return "it is not installed as a sink (incumbent fence install)";
        }
        return switch (primary(failure)) {
            case SQLITE_NOTADB -> "the file is no SQLite database";
            case SQLITE_CORRUPT -> "the file is damaged (" + message + ")";
            case SQLITE_READONLY, SQLITE_PERM -> "the file, or its folder, cannot be written";
            case SQLITE_CANTOPEN ->
                "the file, or the log beside it, cannot be opened: see to its folder and permissions";
            case SQLITE_FULL -> "the disk is full";
            case SQLITE_BUSY -> "others kept it locked";
            case SQLITE_IOERR -> "the disk failed (" + message + ")";
            default -> message;
        };
    }

    /** The primary code of a failure, whatever its extended one. */
    static SQLiteErrorCode primary(SQLException failure) {
        return failure instanceof SQLiteException known
                ? SQLiteErrorCode.getErrorCode(known.getResultCode().code & 0xff)
                : SQLiteErrorCode.UNKNOWN_ERROR;
    }

    /** Runs statements that answer nothing. */
    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate(sql);
        }
    }

    /** Rolls back, if a failure has not done it. */
    static void rollBack(Connection connection) {
        try {
            run(connection, "ROLLBACK");
        } catch (SQLException alreadyDone) {
            // SQLite rolls back by itself when the disk fails; the failure that led here is the one to tell.
        }
    }
}
