package dev.incumbent.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * A PostgreSQL of its own on loopback, which asks for a password. It does not flush to the disk unless told {@code fsync=on}: what it acknowledged survives its
 * being killed all the same. Not thread-safe.
 */
public final class PostgresServer implements AutoCloseable {
    /** Its superuser. */
    public static final String USER = "postgres";
    /** The superuser's password, which no output may show. */
    public static final String PASSWORD = "pg-hunter2";

    private static final Path INSTALLED = Path.of("/usr/lib/postgresql");

    private final TemporaryFolder folder;
    private final int port;
    private final ServerProcess process;

    private PostgresServer(TemporaryFolder folder, int port, ServerProcess process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    public static PostgresServer start() {
        return start(List.of(), Map.of());
    }

    /** With settings such as {@code fsync=on}, and variables in its environment. */
    public static PostgresServer start(List<String> settings, Map<String, String> environment) {
        return startIn(TemporaryFolder.create("postgres"), settings, environment);
    }

    /** One that keeps all in that folder, which goes with it. */
    public static PostgresServer startIn(TemporaryFolder folder) {
        return startIn(folder, List.of(), Map.of());
    }

    private static PostgresServer startIn(
            TemporaryFolder folder, List<String> settings, Map<String, String> environment) {
        Unprivileged user = Unprivileged.anyOf("postgres");
        Path data = user.folder(folder, "data");
        Path password = user.file(folder, "password", PASSWORD);
        user.run(List.of(
                program("initdb"),
                "--pgdata=" + data,
                "--username=" + USER,
                "--auth=scram-sha-256",
                "--pwfile=" + password,
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync"));
        return launched(folder, user, settings, environment);
    }

    /** On the folder {@code data} in that one. */
    private static PostgresServer launched(
            TemporaryFolder folder, Unprivileged user, List<String> settings, Map<String, String> environment) {
        Path data = folder.resolve("data");
        int port = FreePorts.one();
        List<String> line =
                new ArrayList<>(List.of(program("postgres"), "-D", data.toString(), "-p", Integer.toString(port)));
        List.of("listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=300")
                .forEach(setting -> line.addAll(List.of("-c", setting)));
        settings.forEach(setting -> line.addAll(List.of("-c", setting)));
        ServerProcess process = ServerProcess.start(
                "postgres",
                user.command(line),
                environment,
                folder.path(),
                () -> !psql(port, "select 1").isEmpty());
        return new PostgresServer(folder, port, process);
    }

    /** Starts a server that follows this one, from a copy of its data, and answers reads. */
    public PostgresServer startStandby() {
        TemporaryFolder copy = TemporaryFolder.create("postgres");
        Unprivileged user = Unprivileged.anyOf("postgres");
        user.letIn(copy);
        copyDataTo(copy.resolve("data"));
        try {
            Files.delete(copy.resolve("data").resolve("postmaster.pid"));
            Files.createFile(copy.resolve("data").resolve("standby.signal"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String primary = "primary_conninfo=host=127.0.0.1 port=" + port + " user=" + USER + " password=" + PASSWORD
                + " application_name=standby";
        return launched(copy, user, List.of(primary), Map.of());
    }

    /** From now on each commit waits for a standby, unless its session says otherwise. */
    public void waitForAStandby() {
        psql("alter system set synchronous_standby_names='*'");
        psql("select pg_reload_conf()");
        Waiting.until(
                "a synchronous standby",
                () -> psql("select sync_state from pg_stat_replication").equals("sync"));
    }

    /** Cancels the commits that wait for the standby and whose statement has those words, as an operator does; says whether there was one. */
    public boolean cancelsAWaitForTheStandby(String words) {
        return !psql("select pg_cancel_backend(pid) from pg_stat_activity where wait_event='SyncRep' and query like '%"
                        + words + "%'")
                .isEmpty();
    }

    /** A program of the newest version that is installed, for not all of them are on the path. */
    private static String program(String name) {
        try (var versions = Files.list(INSTALLED)) {
            return versions.map(version -> version.resolve("bin").resolve(name))
                    .filter(Files::isExecutable)
                    .max(Comparator.comparing(Path::toString))
                    .orElse(Path.of(name))
                    .toString();
        } catch (IOException elsewhere) {
            return name;
        }
    }

    public int port() {
        return port;
    }

    /** Where its data lie, its own folder within. */
    public Path folder() {
        return folder.path();
    }

    public ServerProcess process() {
        return process;
    }

    /** As JDBC and {@code --at} take it, with the superuser and its password. */
    public String jdbcUrl() {
        return jdbcUrl(port);
    }

    /** The same by way of another port, such as a proxy's. */
    public static String jdbcUrl(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER + "&password=" + PASSWORD;
    }

    /** What the program psql answers as the superuser: a line for each row, {@code |} between columns. An error is an {@link IllegalStateException}. */
    public String psql(String sql) {
        return psql(port, sql);
    }

    static String psql(int port, String sql) {
        return Programs.output(
                List.of(
                        "psql",
                        "-X",
                        "-q",
                        "-A",
                        "-t",
                        "-v",
                        "ON_ERROR_STOP=1",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(port),
                        "-U",
                        USER,
                        "-d",
                        "postgres",
                        "-c",
                        sql),
                Map.of("PGPASSWORD", PASSWORD, "PGCONNECT_TIMEOUT", "10"));
    }

    /** Stops all its processes where they stand: connections stay, nothing answers. */
    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    /** Ends all its processes at once. */
    public void kill() {
        process.kill();
    }

    /** Starts it again on its data, on the same port. */
    public void startAgain() {
        process.startAgain();
    }

    /** Copies its data as they are at this instant; it stands still meanwhile. */
    public void copyDataTo(Path target) {
        process.freeze();
        try {
            TemporaryFolder.copyWithOwners(folder.resolve("data"), target);
        } finally {
            process.thaw();
        }
    }

    /** Ends it and starts it again on that copy of its data. */
    public void putBack(Path data) {
        process.kill();
        TemporaryFolder.putBack(data, folder.resolve("data"));
        process.startAgain();
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
