package dev.incumbent.servers;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A MySQL of its own on loopback, which asks for a password; as {@link MariaDbServer}, it flushes its log once a second. {@code scripts/install-servers} obtains
 * it where it can. Not thread-safe.
 */
public final class MySqlServer implements AutoCloseable {
    /** A user with all rights. */
    public static final String USER = "keeper";
    /** That user's password, which no output may show. */
    public static final String PASSWORD = "mysql-hunter2";
    /** A database, empty at first. */
    public static final String DATABASE = "incumbent";

    /** A password is not sent in clear: without TLS, the client asks the server for a key. */
    private static final String KEY = "&allowPublicKeyRetrieval=true";

    private final TemporaryFolder folder;
    private final int port;
    private final ServerProcess process;

    private MySqlServer(TemporaryFolder folder, int port, ServerProcess process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** Could it be obtained on this machine? */
    public static boolean isInstalled() {
        return Files.isExecutable(program());
    }

    /** Was it obtained together with its plugin of groups? Copies from before that was needed have none. */
    public static boolean knowsGroups() {
        return isInstalled()
                && Files.isRegularFile(Programs.cached("mysql/plugin").resolve("group_replication.so"));
    }

    /** What makes one a member of a group with several primaries, as far as a server by itself can tell; no group is started. */
    public static List<String> ofSeveralPrimaries() {
        return List.of(
                "plugin-dir=" + Programs.cached("mysql/plugin"),
                "plugin-load-add=group_replication.so",
                "group-replication-start-on-boot=OFF",
                "group-replication-single-primary-mode=OFF");
    }

    private static Path program() {
        return Programs.cached("mysql/mysqld");
    }

    /** The data of a server that never ran, made once, since that takes seconds; every server begins with a copy. */
    private static final class Fresh {
        static final TemporaryFolder FOLDER = TemporaryFolder.createInMemory("mysql-fresh");

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(FOLDER::close));
            List<String> line = line(FOLDER.resolve("data"));
            line.add("--tmpdir=" + FOLDER.makeFolder("tmp"));
            line.add("--initialize-insecure");
            String unused = Programs.output(line, Map.of());
        }
    }

    public static MySqlServer start() {
        return start(List.of());
    }

    /** With options such as {@code performance-schema=ON}. */
    public static MySqlServer start(List<String> options) {
        return startIn(TemporaryFolder.createInMemory("mysql"), options);
    }

    /** One that keeps all in that folder, which goes with it. */
    public static MySqlServer startIn(TemporaryFolder folder) {
        return startIn(folder, List.of());
    }

    private static MySqlServer startIn(TemporaryFolder folder, List<String> options) {
        Path data = folder.resolve("data");
        TemporaryFolder.copyWithOwners(Fresh.FOLDER.resolve("data"), data);
        Path users = folder.write("users.sql", MariaDbClient.users(USER, PASSWORD, DATABASE));
        int port = FreePorts.one();
        List<String> line = line(data);
        line.addAll(MariaDbClient.options(port));
        line.addAll(List.of(
                "--socket=" + data.resolve("s"),
                "--pid-file=" + data.resolve("pid"),
                "--tmpdir=" + folder.makeFolder("tmp"),
                "--secure-file-priv=NULL",
                "--mysqlx=OFF",
                "--init-file=" + users));
        options.forEach(option -> line.add("--" + option));
        ServerProcess process = ServerProcess.start(
                "mysql", line, Map.of(), folder.path(), () -> client(port).isAnswered());
        return new MySqlServer(folder, port, process);
    }

    /** The program and what its data depend on. Root may run it, being told so. */
    private static List<String> line(Path data) {
        List<String> line = new ArrayList<>(List.of(
                program().toString(),
                "--no-defaults",
                "--datadir=" + data,
                "--performance-schema=OFF",
                "--innodb-doublewrite=OFF",
                "--innodb-redo-log-capacity=8M",
                "--innodb-buffer-pool-size=32M"));
        if ("root".equals(System.getProperty("user.name"))) {
            line.add("--user=root");
        }
        return line;
    }

    public int port() {
        return port;
    }

    public ServerProcess process() {
        return process;
    }

    /** What signed the certificate that it shows to those who ask for TLS. */
    public Path certificate() {
        return folder.resolve("data/ca.pem");
    }

    /** As JDBC and {@code --at} take it, with the user and its password. */
    public String jdbcUrl() {
        return jdbcUrl(port);
    }

    /** The same by way of another port, such as a proxy's. */
    public static String jdbcUrl(int port) {
        return "jdbc:mariadb://127.0.0.1:" + port + "/" + DATABASE + "?user=" + USER + "&password=" + PASSWORD + KEY;
    }

    /** What MariaDB's command line has from it: a line for each row, tabs between columns. An error is an {@link IllegalStateException}. */
    public String client(String sql) {
        return client(port).ask(sql);
    }

    private static MariaDbClient client(int port) {
        return new MariaDbClient(port, USER, PASSWORD, DATABASE);
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
