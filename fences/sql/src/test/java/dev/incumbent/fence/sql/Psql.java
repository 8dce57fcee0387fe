package dev.incumbent.fence.sql;

import dev.incumbent.servers.PostgresServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;

/** The plain {@code psql}, which knows nothing of us: one session, one line of its script after another. Prints {@code ERROR:  SQLSTATE: message} on errors. */
final class Psql implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;
    private final Writer in;

    Psql(PostgresDatabase database, String user, String password) {
        try {
            ProcessBuilder builder = new ProcessBuilder(
                            "psql",
                            "-X",
                            "-q",
                            "-A",
                            "-t",
                            "-v",
                            "VERBOSITY=verbose",
                            "-h",
                            "127.0.0.1",
                            "-p",
                            Integer.toString(database.server().port()),
                            "-U",
                            user,
                            "-d",
                            database.name())
                    .redirectErrorStream(true);
            builder.environment().put("PGPASSWORD", password);
            process = builder.start();
            out = process.inputReader();
            in = process.outputWriter();
        } catch (IOException absent) {
            throw new UncheckedIOException("psql is not installed; scripts/install-servers installs it", absent);
        }
    }

    static Psql to(PostgresDatabase database) {
        return new Psql(database, PostgresServer.USER, PostgresServer.PASSWORD);
    }

    /** Sends lines, and does not wait for what they print. */
    void send(String... lines) {
        try {
            for (String line : lines) {
                in.write(line + "\n");
            }
            in.flush();
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    /** Sends lines, in one write because psql may end after any of them, and answers with all that was printed so far. */
    String run(String... lines) {
        send(String.join("\n", lines), "\\echo --done--");
        List<String> printed = new ArrayList<>();
        try {
            for (String line = out.readLine(); line != null && !line.equals("--done--"); line = out.readLine()) {
                printed.add(line);
            }
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
        return String.join("\n", printed);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
