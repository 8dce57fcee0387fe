package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.Capability;
import dev.incumbent.servers.MariaDbServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fresh database of the one MariaDB of this JVM's tests.
 *
 * @param parameters at the end of its URL
 */
record MariaDbDatabase(MariaDbServer server, String name, String parameters) implements Database {
    /** ER_NO_SUCH_THREAD: it ended between being listed and being killed. */
    private static final int GONE_ALREADY = 1094;

    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Queue<String> UNUSED = new ConcurrentLinkedQueue<>();

    /** Started by the first who needs it; ends with the JVM. */
    private static final class Shared {
        static final MariaDbServer SERVER = started();

        private static MariaDbServer started() {
            MariaDbServer server = MariaDbServer.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        }
    }

    static MariaDbServer shared() {
        return Shared.SERVER;
    }

    /** One of the shared server's that nobody uses any more, emptied, or a new one. */
    static MariaDbDatabase create() {
        String unused = UNUSED.poll();
        if (unused == null) {
            return create(shared());
        }
        MariaDbDatabase database = new MariaDbDatabase(shared(), unused, "");
        database.run("DELETE FROM incumbent_fence", "DELETE FROM ledger");
        return database;
    }

    /** With {@code innodb_snapshot_isolation} ON its sessions lock nothing that is newer than their snapshot, as is the default from 11.8 on. */
    static MariaDbDatabase createWithSnapshotIsolation(String onOrOff) {
        MariaDbDatabase database = create();
        return new MariaDbDatabase(
                database.server, database.name, "&sessionVariables=innodb_snapshot_isolation=" + onOrOff);
    }

    static MariaDbDatabase create(MariaDbServer server) {
        MariaDbDatabase database = new MariaDbDatabase(server, "t" + COUNT.incrementAndGet(), "");
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
        return MariaDbServer.jdbcUrl(port).replace("/" + MariaDbServer.DATABASE + "?", "/" + name + "?") + parameters;
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.PARALLEL_ADMISSIONS,
                Capability.SNAPSHOTS,
                Capability.UNTYPED_TOKENS,
                Capability.PLANTED_MARKS);
    }

    /** What lasts for a tenth of a second waits. InnoDB's own tables are a picture that many who look keep from being renewed. */
    @Override
    public String waiting() {
        return "SELECT count(*) FROM information_schema.processlist WHERE db = database() AND id <> connection_id()"
                + " AND info IS NOT NULL AND time_ms > 100";
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
