package dev.incumbent.fence.sql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.fence.tck.Capability;
import dev.incumbent.servers.MySqlServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A fresh database of the one MySQL of this JVM's tests. */
record MySqlDatabase(MySqlServer server, String name) implements Database {
    /** ER_NO_SUCH_THREAD: it ended between being listed and being killed. */
    private static final int GONE_ALREADY = 1094;

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Queue<String> UNUSED = new ConcurrentLinkedQueue<>();

    /** Started by the first who needs it; ends with the JVM. */
    private static final class Shared {
        static final MySqlServer SERVER = started();

        private static MySqlServer started() {
            MySqlServer server = MySqlServer.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        }
    }

    /** The tests of it are skipped where it could not be had. */
    static MySqlServer shared() {
        assumeInstalled();
        return Shared.SERVER;
    }

    static void assumeInstalled() {
        assumeTrue(MySqlServer.isInstalled(), "MySQL could not be had (scripts/install-servers)");
    }

    /** One of the shared server's that nobody uses any more, emptied, or a new one. */
    static MySqlDatabase create() {
        String unused = UNUSED.poll();
        if (unused == null) {
            return create(shared());
        }
        MySqlDatabase database = new MySqlDatabase(shared(), unused);
        database.run("DELETE FROM incumbent_fence", "DELETE FROM ledger");
        return database;
    }

    static MySqlDatabase create(MySqlServer server) {
        MySqlDatabase database = new MySqlDatabase(server, "t" + COUNT.incrementAndGet());
        server.client("CREATE DATABASE " + database.name);
        database.install();
        database.run("CREATE TABLE ledger(id bigint AUTO_INCREMENT PRIMARY KEY, line varchar(200) NOT NULL)");
        return database;
    }

    @Override
    public String url() {
        return urlAt(server.port());
    }

    String urlAt(int port) {
        return MySqlServer.jdbcUrl(port).replace("/" + MySqlServer.DATABASE + "?", "/" + name + "?");
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.PARALLEL_ADMISSIONS,
                Capability.SNAPSHOTS,
                Capability.UNTYPED_TOKENS,
                Capability.PLANTED_MARKS);
    }

    /** What lasts for a second waits. */
    @Override
    public String waiting() {
        return "SELECT count(*) FROM information_schema.processlist WHERE db = database() AND id <> connection_id()"
                + " AND info IS NOT NULL AND state <> '' AND time >= 1";
    }

    @Override
    public void cutOff() {
        for (String id : column(
                "SELECT id FROM information_schema.processlist WHERE db = '" + name + "' AND id <> connection_id()")) {
            kill(id);
        }
    }

    private void kill(String id) {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("KILL " + id);
        } catch (SQLException failure) {
            if (failure.getErrorCode() != GONE_ALREADY) {
                throw new IllegalStateException("KILL " + id, failure);
            }
        }
    }

    @Override
    public Runnable backUp() {
        throw new UnsupportedOperationException("not declared");
    }

    @Override
    public void close() {
        if (server == shared()) {
            cutOff();
            UNUSED.add(name);
        }
    }
}
