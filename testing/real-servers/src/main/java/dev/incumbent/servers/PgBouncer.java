package dev.incumbent.servers;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** A pgbouncer on loopback before a {@link PostgresServer}, in transaction mode: each transaction of a client may meet another session of the server. */
public final class PgBouncer implements AutoCloseable {
    private final TemporaryFolder folder;
    private final int port;
    private final ServerProcess process;

    private PgBouncer(TemporaryFolder folder, int port, ServerProcess process) {
        this.folder = folder;
        this.port = port;
        this.process = process;
    }

    /** With the server's user and password, and all its databases; a few sessions to each, which all clients share. */
    public static PgBouncer before(PostgresServer server) {
        return before(server, "*");
    }

    /** The same with that database alone. */
    public static PgBouncer before(PostgresServer server, String database) {
        TemporaryFolder folder = TemporaryFolder.create("pgbouncer");
        Unprivileged user = Unprivileged.anyOf("postgres");
        Path home = user.folder(folder, "home");
        int port = FreePorts.one();
        Path users =
                user.file(folder, "users.txt", "\"" + PostgresServer.USER + "\" \"" + PostgresServer.PASSWORD + "\"\n");
        Path settings = user.file(
                folder,
                "pgbouncer.ini",
                String.join(
                        "\n",
                        "[databases]",
                        database + " = host=127.0.0.1 port=" + server.port(),
                        "[pgbouncer]",
                        "listen_addr = 127.0.0.1",
                        "listen_port = " + port,
                        "unix_socket_dir =",
                        "auth_type = scram-sha-256",
                        "auth_file = " + users,
                        "pool_mode = transaction",
                        "default_pool_size = 4",
                        "max_client_conn = 500",
                        "ignore_startup_parameters = extra_float_digits",
                        "pidfile = " + home.resolve("pid"),
                        ""));
        ServerProcess process = ServerProcess.start(
                "pgbouncer",
                user.command(List.of("pgbouncer", settings.toString())),
                Map.of(),
                folder.path(),
                () -> !PostgresServer.psql(port, "select 1").isEmpty());
        return new PgBouncer(folder, port, process);
    }

    public int port() {
        return port;
    }

    @Override
    public void close() {
        process.close();
        folder.close();
    }
}
