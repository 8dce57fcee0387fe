package dev.incumbent.fence.sql;

import dev.incumbent.servers.Command;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PostgresServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.List;
import java.util.Map;

/** A database's own command line as a process of its own, which can be frozen and killed. It throws away what it prints, so that it reads results as they come. */
final class PlainClient implements AutoCloseable {
    private final Process process;
    private final Writer in;

    private PlainClient(List<String> line, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(line)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().putAll(environment);
            process = builder.start();
            in = process.outputWriter();
        } catch (IOException absent) {
            throw new UncheckedIOException(
                    line.get(0) + " is not installed; scripts/install-servers installs it", absent);
        }
    }

    static PlainClient to(PostgresDatabase database) {
        return new PlainClient(
                List.of(
                        "psql",
                        "-X",
                        "-q",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(database.server().port()),
                        "-U",
                        PostgresServer.USER,
                        "-d",
                        database.name()),
                Map.of("PGPASSWORD", PostgresServer.PASSWORD));
    }

    static PlainClient to(MariaDbDatabase database) {
        return ofMariaDb(database.server().port(), MariaDbServer.USER, MariaDbServer.PASSWORD, database.name());
    }

    static PlainClient to(MySqlDatabase database) {
        return ofMariaDb(database.server().port(), MySqlServer.USER, MySqlServer.PASSWORD, database.name());
    }

    /** MariaDB's, which speaks to MySQL as well. */
    private static PlainClient ofMariaDb(int port, String user, String password, String database) {
        return new PlainClient(
                List.of(
                        "mariadb",
                        "--no-defaults",
                        "--quick",
                        "--unbuffered",
                        "--local-infile=1",
                        "--protocol=tcp",
                        "-h",
                        "127.0.0.1",
                        "-P",
                        Integer.toString(port),
                        "-u",
                        user,
                        database),
                Map.of("MYSQL_PWD", password));
    }

    /** Does not wait for an answer. */
    void send(String... statements) {
        try {
            for (String statement : statements) {
                in.write(statement + ";\n");
            }
            in.flush();
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    /** Stops it where it stands; it keeps its connection. */
    void stop() {
        Command.run(List.of("kill", "-s", "STOP", Long.toString(process.pid())), Map.of());
    }

    /** As by {@code kill -9}. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
