package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.jdbc.Sql;
import dev.incumbent.sql.DatabaseFiles;
import dev.incumbent.sql.FileIdentity;
import dev.incumbent.sql.FileSystems;
import dev.incumbent.sql.HeldFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** A store in a SQLite file: where it is, whether it can be one, and how sessions with it are opened. Thread-safe. */
final class SqliteStore {
    /** Files up to this size are checked whole when they are opened, in about a millisecond. */
    private static final long CHECKED_BYTES = 1 << 20;

    private static final int OPENING_PAUSES = 8;
    private static final long FIRST_PAUSE_NANOS = 1_000_000;

    private final Path path;
    private final Mode mode;
    private final long patienceNanos;
    private final Function<Path, String> fileSystemOf;
    private final OpenSessions sessions = new OpenSessions();

    /**
     * A store at an absolute path.
     *
     * @param patience the longest that opening waits for another process that is opening the store
     * @param fileSystemOf the type of the file system that a path lies on
     */
    SqliteStore(Path path, Mode mode, Duration patience, Function<Path, String> fileSystemOf) {
        this.path = path;
        this.mode = mode;
        this.patienceNanos = patience.toNanos();
        this.fileSystemOf = fileSystemOf;
    }

    Path path() {
        return path;
    }

    Mode mode() {
        return mode;
    }

    /** What a lane's commits promise. */
    enum Durability {
        /** On the disk when acknowledged. */
        DISK,
        /** In the kernel when acknowledged: outlives this process, not the boot, which a lease does not outlive either. */
        BOOT
    }

    /** Refuses what cannot hold a store, and creates its folder, mode 0700, where that may be. */
    void prepare() {
        try {
            if (mode == Mode.CREATE) {
                createFolder(folder());
            }
            refuseSharedFileSystem();
            if (Files.isDirectory(path)) {
                throw new CoordinatorUnusableException("the coordinator file " + path + " is a folder");
            }
            if (mode == Mode.CREATE && !canBeWritten()) {
                throw new CoordinatorUnusableException(
                        "the coordinator file " + path + " cannot be written by this user, or its folder cannot");
            }
        } catch (IOException e) {
            throw new CoordinatorUnusableException(
                    "the folder of the coordinator file " + path + " cannot be created: " + e, e);
        }
    }

    /** Opens a session on the files that bear the store's names now. Tries for a quarter of a second. */
    StoreSession open(Durability durability, BusyHandler busy) throws IOException, SQLException {
        Optional<StoreSession> session = openOnce(durability, busy);
        for (int pause = 0; session.isEmpty() && pause < OPENING_PAUSES; pause++) {
            // whoever of this process holds the old files may be about to find that out
            LockSupport.parkNanos(this, FIRST_PAUSE_NANOS << pause);
            session = openOnce(durability, busy);
        }
        if (session.isPresent()) {
            return sessions.added(session.get());
        }
        throw new CoordinatorException("the coordinator file " + path + " is being replaced", false);
    }

    private Optional<StoreSession> openOnce(Durability durability, BusyHandler busy) throws IOException, SQLException {
        if (mode == Mode.CREATE) {
            createFolder(folder());
        }
        DatabaseFiles files = DatabaseFiles.at(path);
        FileIdentity content = files.content();
        if (mode == Mode.READ_ONLY) {
            if (!content.hasDatabase() || Files.size(path) == 0) {
                return Optional.of(StoreSession.empty(files, content));
            }
            if (!canBeWritten()) {
                sessions.retireStale(false);
                return Optional.of(openUnwritable(files, content, busy));
            }
        }
        try (OpeningLock lock = OpeningLock.take(files, patienceNanos, mode == Mode.CREATE)) {
            sessions.retireStale(lock.isHeld());
            lock.discardForeignLog();
            if (mode == Mode.CREATE) {
                createFile();
            }
            Optional<StoreSession> session = openWritable(content, durability, busy);
            if (session.isPresent()) {
                lock.remember(session.get().identity());
            }
            return session;
        }
    }

    /** Closes what is left of sessions whose files were replaced. */
    void close() {
        try {
            sessions.retireStale(false);
        } catch (IOException e) {
            // They hold nothing but descriptors of files that are gone.
        }
    }

    private Optional<StoreSession> openWritable(FileIdentity content, Durability durability, BusyHandler busy)
            throws IOException, SQLException {
        DatabaseFiles files = DatabaseFiles.at(path);
        String before = files.identity().database();
        Sql sql = connect(files, SQLiteOpenMode.READWRITE, "", busy);
        boolean opened = false;
        try {
            useLog(sql);
            configure(sql, durability);
            if (!Schema.isThere(sql, path)) {
                if (mode == Mode.READ_ONLY) {
                    return Optional.of(StoreSession.empty(files, content));
                }
                Schema.create(sql, path);
            } else if (Files.size(path) <= CHECKED_BYTES) {
                check(sql);
            }
            FileIdentity identity = files.identity();
            boolean isSame = identity.isComplete() && identity.database().equals(before);
            Optional<HeldFiles> held = isSame ? HeldFiles.of(files, identity) : Optional.empty();
            opened = held.isPresent();
            return held.map(all -> StoreSession.open(files, all, sql));
        } finally {
            if (!opened) {
                sql.close();
            }
        }
    }

    /** Reads what this user, or this mount, cannot write: beside its writers if there are any, else as a file nobody writes. */
    private StoreSession openUnwritable(DatabaseFiles files, FileIdentity content, BusyHandler busy)
            throws IOException, SQLException {
        boolean quiet = !content.hasLog();
        Sql sql = connect(files, SQLiteOpenMode.READONLY, quiet ? "?immutable=1" : "", busy);
        boolean opened = false;
        try {
            if (!Schema.isThere(sql, path)) {
                return StoreSession.empty(files, content);
            }
            opened = true;
            return quiet
                    ? StoreSession.open(files, content, sql, StoreSession.Access.QUIET)
                    : StoreSession.open(files, files.identity(), sql, StoreSession.Access.READING);
        } catch (SQLException e) {
            if (Failures.isCannotOpen(e) && !quiet) {
                throw new CoordinatorUnusableException(
                        "the coordinator file " + path + " has a log, left by a crash, that cannot be read where it"
                                + " cannot be written; let its owner open it once",
                        e);
            }
            throw e;
        } finally {
            if (!opened) {
                sql.close();
            }
        }
    }

    private void useLog(Sql sql) throws SQLException {
        List<String> current = sql.query("pragma journal_mode", row -> row.getString(1));
        if (!current.equals(List.of("wal"))) {
            List<String> now = sql.query("pragma journal_mode=wal", row -> row.getString(1));
            if (!now.equals(List.of("wal"))) {
                throw new CoordinatorUnusableException("the coordinator file " + path
                        + " lies on a file system without shared memory: journal mode " + now + " instead of wal");
            }
        }
    }

    private static void configure(Sql sql, Durability durability) throws SQLException {
        boolean disk = durability == Durability.DISK;
        sql.execute("pragma synchronous=" + (disk ? "full" : "normal"));
        sql.execute("pragma cache_size=-512");
        // A checkpoint is the calls' to pay, not the keep-alives', unless nobody calls.
        sql.execute("pragma wal_autocheckpoint=" + (disk ? 500 : 4000));
    }

    private void check(Sql sql) throws SQLException {
        List<String> findings = sql.query("pragma quick_check(1)", row -> row.getString(1));
        if (findings.stream().anyMatch(finding -> finding.contains("unable to get the page"))) {
            throw new CoordinatorException(
                    "the coordinator file " + path + " has lost its log, and other processes have not yet let go of it",
                    false);
        }
        if (!findings.equals(List.of("ok"))) {
            throw new CoordinatorUnusableException("the coordinator file " + path + " is damaged ("
                    + String.join(" ", findings).replace('\n', ' ') + "); restore it, or remove it and start anew");
        }
    }

    private static Sql connect(DatabaseFiles files, SQLiteOpenMode access, String parameters, BusyHandler busy)
            throws SQLException {
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        if (access == SQLiteOpenMode.READONLY) {
            config.resetOpenMode(SQLiteOpenMode.READWRITE);
            config.setOpenMode(SQLiteOpenMode.READONLY);
        }
        config.setBusyTimeout(0);
        Connection connection = config.createConnection("jdbc:sqlite:file:" + escaped(files.given()) + parameters);
        BusyHandler.setHandler(connection, busy);
        return new Sql(connection);
    }

    /** A path as SQLite's URIs want it; the driver, too, stops at a question mark. */
    private static String escaped(Path path) {
        StringBuilder escaped = new StringBuilder();
        for (byte octet : path.toString().replace('\\', '/').getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xff);
            if (c > ' ' && c < 0x7f && "%?#&;".indexOf(c) < 0) {
                escaped.append(c);
            } else {
                escaped.append(String.format("%%%02x", (int) c));
            }
        }
        return escaped.charAt(0) == '/' ? escaped.toString() : "/" + escaped;
    }

    private void createFile() throws IOException {
        try {
            Files.createFile(path);
        } catch (FileAlreadyExistsException present) {
            // As it should be.
        }
    }

    private static void createFolder(Path folder) throws IOException {
        if (Files.isDirectory(folder)) {
            return;
        }
        if (folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        } else {
            Files.createDirectories(folder);
        }
    }

    private void refuseSharedFileSystem() {
        Path existing = path;
        while (!Files.exists(existing) && existing.getParent() != null) {
            existing = existing.getParent();
        }
        String type = fileSystemOf.apply(existing);
        if (FileSystems.isShared(type)) {
            throw new CoordinatorUnusableException("the coordinator file " + path + " lies on a file system (" + type
                    + ") that other machines may share; one machine's processes share a local file, a fleet needs a"
                    + " server");
        }
    }

    private Path folder() {
        return Optional.ofNullable(path.getParent()).orElse(path);
    }

    private boolean canBeWritten() {
        return Files.isWritable(folder()) && (!Files.exists(path) || Files.isWritable(path));
    }
}
