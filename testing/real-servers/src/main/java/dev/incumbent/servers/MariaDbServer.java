package dev.incumbent.servers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A MariaDB of its own on loopback, which asks for a password. It does not flush its log at each commit unless told
 * {@code innodb-flush-log-at-trx-commit=1}: what it acknowledged survives its being killed all the same. {@code innodb_snapshot_isolation} is OFF, as it is by default
 * before 11.8, unless the system property {@value #SNAPSHOT_ISOLATION} says ON. Not thread-safe.
 */
public final class MariaDbServer implements AutoCloseable {
    /** A user with all rights. */
    public static final String USER = "keeper";
    /** That user's password, which no output may show. */
    public static final String PASSWORD = "maria-hunter2";
    /** A database, empty at first. */
    public static final String DATABASE = "incumbent";
    /** The system property that says what {@code innodb_snapshot_isolation} is. */
    public static final String SNAPSHOT_ISOLATION = "mariadb.snapshot.isolation";

    private final TemporaryFolder folder;
    private final int port;
    private final ServerProcess process;

    private MariaDbServer(TemporaryFolder folder, int port, ServerProcess process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    public static MariaDbServer start() {
        return start(List.of(), Map.of());
    }

    /** With options such as {@code innodb-flush-log-at-trx-commit=1}, and variables in its environment. */
    public static MariaDbServer start(List<String> options, Map<String, String> environment) {
        return startIn(TemporaryFolder.create("mariadb"), options, environment);
    }

    /** One that keeps all in that folder, which goes with it. */
    public static MariaDbServer startIn(TemporaryFolder folder) {
        return startIn(folder, List.of(), Map.of());
    }

    private static MariaDbServer startIn(
            TemporaryFolder folder, List<String> options, Map<String, String> environment) {
        Unprivileged user = Unprivileged.anyOf("mysql");
        Path data = user.folder(folder, "data");
        // Each that starts removes all temporary tables from its folder, also those of another that shares it.
        String tmpdir = "--tmpdir=" + user.folder(folder, "tmp");
        user.run(List.of(
                "mariadb-install-db",
                "--no-defaults",
                "--datadir=" + data,
                tmpdir,
                "--auth-root-authentication-method=normal",
                "--skip-test-db"));
        Path users = user.file(folder, "users.sql", MariaDbClient.users(USER, PASSWORD, DATABASE));
        int port = FreePorts.one();
        List<String> line = new ArrayList<>(List.of(
                "mariadbd",
                "--no-defaults",
                "--datadir=" + data,
                "--socket=" + data.resolve("s"),
                "--pid-file=" + data.resolve("pid"),
                tmpdir,
                "--init-file=" + users));
        line.addAll(MariaDbClient.options(port));
        line.add("--loose-innodb-snapshot-isolation=" + System.getProperty(SNAPSHOT_ISOLATION, "OFF"));
        options.forEach(option -> line.add("--" + option));
        ServerProcess process = ServerProcess.start(
                "mariadb",
                user.command(line),
                environment,
                folder.path(),
                () -> client(port).isAnswered());
        return new MariaDbServer(folder, port, process);
    }

    /**
     * Starts a read-only server that follows this one from its beginning, semi-synchronously, by way of that port of 127.0.0.1; this one keeps a binary log in {@code log-bin=log} and
     * has the {@code server-id} 1.
     */
    public MariaDbServer startReplica(int by) {
        MariaDbServer replica =
                start(List.of("server-id=2", "read-only=ON", "rpl-semi-sync-slave-enabled=ON"), Map.of());
        String started = replica.client("change master to master_host='127.0.0.1', master_port=" + by
                + ", master_user='" + USER + "', master_password='" + PASSWORD
                + "', master_log_file='log.000001', master_log_pos=4; start slave");
        Waiting.until(
                "a semi-synchronous replica" + started,
                () -> client("show status like 'Rpl_semi_sync_master_clients'").endsWith("\t1"));
        return replica;
    }

    public int port() {
        return port;
    }

    public Path folder() {
        return folder.path();
    }

    public ServerProcess process() {
        return process;
    }

    /** As JDBC and {@code --at} take it, with the user and its password. */
    public String jdbcUrl() {
        return jdbcUrl(port);
    }

    /** The same by way of another port, such as a proxy's. */
    public static String jdbcUrl(int port) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + DATABASE + "?user=" + USER + "&password=" + PASSWORD;
    }

    /** What {@code mariadb} answers: a line for each row, tabs between columns. An error is an {@link IllegalStateException}. */
    public String client(String sql) {
        return client(port).ask(sql);
    }

    private static MariaDbClient client(int port) {
        return new MariaDbClient(port, USER, PASSWORD, DATABASE);
    }

    /** Stops it where it stands: connections stay, nothing answers. */
    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    /** Ends it at once. */
    public void kill() {
        process.kill();
    }

    /** Starts it again on its data, on the same port. */
    public void startAgain() {
        process.startAgain();
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
