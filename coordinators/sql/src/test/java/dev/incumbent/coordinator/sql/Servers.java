package dev.incumbent.coordinator.sql;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PgBouncer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TemporaryFolder;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The servers that the tests of one run share, each started by the first who asks; every rig has a place of its own in them. */
final class Servers {
    /** Outlives two calls that nobody answers. */
    private static final Duration LEASE = Duration.ofSeconds(4);

    private static final AtomicInteger PLACES = new AtomicInteger();

    private static final TemporaryFolder H2_FOLDER = TemporaryFolder.create("h2");

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(H2_FOLDER::close));
    }

    private Servers() {}

    private static final class Postgres {
        static final PostgresServer SERVER = PostgresServer.start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    private static final class Bouncer {
        static final PgBouncer SERVER = PgBouncer.before(Postgres.SERVER);

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    private static final class MariaDb {
        static final MariaDbServer SERVER = MariaDbServer.start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    private static final class MySql {
        static final MySqlServer SERVER = MySqlServer.start();

        static {
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    static PostgresServer postgresServer() {
        return Postgres.SERVER;
    }

    /** A schema of its own. */
    static ServerRig.Place postgres() {
        String schema = "place" + PLACES.incrementAndGet();
        PostgresServer server = Postgres.SERVER;
        execute(server.jdbcUrl(), "create schema " + schema);
        return new ServerRig.Place(
                port -> PostgresServer.jdbcUrl(port) + "&currentSchema=" + schema, server.port(), LEASE);
    }

    /** A database of its own, since a pooler gives a client no schema, by way of the pooler. */
    static ServerRig.Place pooledPostgres() {
        return postgresDatabase("place" + PLACES.incrementAndGet(), true);
    }

    /** A database of its own whose sessions have that {@code synchronous_commit} by default. */
    static ServerRig.Place postgresCommitting(String how, boolean pooled) {
        String database = "place" + PLACES.incrementAndGet();
        ServerRig.Place place = postgresDatabase(database, pooled);
        execute(Postgres.SERVER.jdbcUrl(), "alter database " + database + " set synchronous_commit=" + how);
        return place;
    }

    private static ServerRig.Place postgresDatabase(String database, boolean pooled) {
        execute(Postgres.SERVER.jdbcUrl(), "create database " + database);
        return new ServerRig.Place(
                port -> PostgresServer.jdbcUrl(port).replace("/postgres?", "/" + database + "?"),
                pooled ? Bouncer.SERVER.port() : Postgres.SERVER.port(),
                LEASE);
    }

    /** A database of its own. */
    static ServerRig.Place mariaDb() {
        String database = "place" + PLACES.incrementAndGet();
        MariaDbServer server = MariaDb.SERVER;
        execute(server.jdbcUrl(), "create database " + database);
        return new ServerRig.Place(
                port -> MariaDbServer.jdbcUrl(port).replace("/" + MariaDbServer.DATABASE, "/" + database),
                server.port(),
                LEASE);
    }

    /** The same, whose sessions lock nothing that is newer than their snapshot, as is the default from 11.8 on. */
    static ServerRig.Place mariaDbWithSnapshotIsolation() {
        ServerRig.Place place = mariaDb();
        return new ServerRig.Place(
                port -> place.url().apply(port) + "&sessionVariables=innodb_snapshot_isolation=ON",
                place.port(),
                place.lease());
    }

    /** A database of its own. Without a MySQL the test is skipped: it comes from a suite of packages that moves, so no machine is sure to have one. */
    static ServerRig.Place mySql() {
        assumeMySql();
        String database = "place" + PLACES.incrementAndGet();
        MySqlServer server = MySql.SERVER;
        execute(server.jdbcUrl(), "create database " + database);
        return new ServerRig.Place(
                port -> MySqlServer.jdbcUrl(port).replace("/" + MySqlServer.DATABASE, "/" + database),
                server.port(),
                LEASE);
    }

    /** What signed the certificate that MySQL shows. */
    static Path certificateOfMySql() {
        assumeMySql();
        return MySql.SERVER.certificate();
    }

    static void assumeMySql() {
        assumeTrue(MySqlServer.isInstalled(), "MySQL could not be had (scripts/install-servers)");
    }

    /** A file of its own in this process, removed with the process's temporary files. */
    static ServerRig.Place h2() {
        String path = H2_FOLDER.resolve("place" + PLACES.incrementAndGet()).toString();
        return new ServerRig.Place(port -> "jdbc:h2:file:" + path + ";WRITE_DELAY=0", 0, LEASE);
    }

    private static void execute(String url, String sql) {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
