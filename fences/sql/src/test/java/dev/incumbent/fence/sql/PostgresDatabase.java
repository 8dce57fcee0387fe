package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.Capability;
import dev.incumbent.servers.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** A fresh database of the one PostgreSQL of this JVM's tests. */
record PostgresDatabase(PostgresServer server, String name) implements Database {
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final Queue<String> UNUSED = new ConcurrentLinkedQueue<>();

    /** Started by the first who needs it; ends with the JVM. */
    private static final class Shared {
        static final PostgresServer SERVER = started();

        private static PostgresServer started() {
            PostgresServer server = PostgresServer.start();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        }
    }

    static PostgresServer shared() {
        return Shared.SERVER;
    }

    /** One of the shared server's that nobody uses any more, emptied, or a new one. */
    static PostgresDatabase create() {
        String unused = UNUSED.poll();
        if (unused == null) {
            return create(shared());
        }
        PostgresDatabase database = new PostgresDatabase(shared(), unused);
        database.run("TRUNCATE incumbent.fence, ledger");
        return database;
    }

    static PostgresDatabase create(PostgresServer server) {
        PostgresDatabase database = empty(server);
        database.install();
        database.run("CREATE TABLE ledger(id bigserial PRIMARY KEY, line text NOT NULL)");
        return database;
    }

    /** One without a fence and without a table. */
    static PostgresDatabase empty(PostgresServer server) {
        PostgresDatabase database = new PostgresDatabase(server, "t" + COUNT.incrementAndGet());
        database.administer("CREATE DATABASE " + database.name);
        return database;
    }

    private void administer(String sql) {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(sql, failure);
        }
    }

    @Override
    public String url() {
        return urlAt(server.port());
    }

    String urlAt(int port) {
        return PostgresServer.jdbcUrl(port).replace("/postgres?", "/" + name + "?");
    }

    @Override
    public Set<Capability> capabilities() {
        return Set.of(
                Capability.PARALLEL_ADMISSIONS, Capability.SNAPSHOTS, Capability.PUT_BACK, Capability.PLANTED_MARKS);
    }

    @Override
    public String marks() {
        return "incumbent.fence";
    }

    @Override
    public String waiting() {
        return "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    }

    @Override
    public void cutOff() {
        administer("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '" + name + "'");
    }

    @Override
    public Runnable backUp() {
        administer("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '" + name + "'");
        administer("CREATE DATABASE " + name + "_saved TEMPLATE " + name);
        return () -> {
            administer("DROP DATABASE " + name + " WITH (FORCE)");
            administer("ALTER DATABASE " + name + "_saved RENAME TO " + name);
        };
    }

    @Override
    public void close() {
        if (server == shared()) {
            cutOff();
            UNUSED.add(name);
        }
    }
}
