package dev.incumbent.coordinator.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.ServerProcess;
import dev.incumbent.servers.SmallDisk;
import dev.incumbent.servers.Waiting;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A database server that one test may harm, on a small disk where one can be mounted.
 *
 * @param refusal sees that a full server refuses what needs more room
 * @param worst brings a full server to where it cannot even keep what it has room for
 */
record OwnServer(
        ServerRig.Place place,
        ServerProcess process,
        Optional<SmallDisk> disk,
        Runnable refusal,
        Runnable worst,
        Runnable end)
        implements AutoCloseable {
    static final Duration LEASE = Duration.ofSeconds(6);
    private static final int MEGABYTES = 192;

    static OwnServer postgres() {
        Optional<SmallDisk> disk = smallDisk();
        PostgresServer server =
                disk.map(it -> PostgresServer.startIn(it.folder("postgres"))).orElseGet(PostgresServer::start);
        return new OwnServer(
                new ServerRig.Place(PostgresServer::jdbcUrl, server.port(), LEASE),
                server.process(),
                disk,
                () -> refuseTable(server),
                () -> endOfLog(server),
                server::close);
    }

    private static void refuseTable(PostgresServer server) {
        assertThatThrownBy(() ->
                        server.psql("create table filler as select repeat('x', 60000) from generate_series(1, 1000)"))
                .hasMessageContaining("No space left on device");
    }

    /** PostgreSQL makes its next piece of log when the last one ends, and ends itself if it cannot. */
    private static void endOfLog(PostgresServer server) {
        assertThatThrownBy(() -> server.psql("select pg_switch_wal(); create table more(line text)"));
        awaitEnd(server.process());
    }

    static void awaitEnd(ServerProcess process) {
        Waiting.until("the end of the server", () -> !process.isRunning());
    }

    static OwnServer mariaDb() {
        Optional<SmallDisk> disk = smallDisk();
        MariaDbServer server =
                disk.map(it -> MariaDbServer.startIn(it.folder("mariadb"))).orElseGet(MariaDbServer::start);
        return new OwnServer(
                new ServerRig.Place(MariaDbServer::jdbcUrl, server.port(), LEASE),
                server.process(),
                disk,
                () -> refuseLeases(server::client, "seq_1_to_%d"),
                () -> {},
                server::close);
    }

    /** InnoDB has pages to spare in its files: those of the leases are filled with dead ones. */
    private static void refuseLeases(UnaryOperator<String> client, String manyRows) {
        for (int rows : new int[] {1_000, 100, 10, 1}) {
            String dead = "insert into incumbent_lease select uuid(), repeat('x', 255), 0,"
                    + " timestampdiff(microsecond, '1970-01-01', utc_timestamp(6)), true from "
                    + manyRows.formatted(rows);
            assertThatThrownBy(() -> {
                        for (int i = 0; i < 1_000; i++) {
                            assertThat(client.apply(dead)).isEmpty();
                        }
                    })
                    .hasMessageContaining("The table 'incumbent_lease' is full");
        }
    }

    static OwnServer mySql() {
        Servers.assumeMySql();
        Optional<SmallDisk> disk = smallDisk();
        MySqlServer server =
                disk.map(it -> MySqlServer.startIn(it.folder("mysql"))).orElseGet(MySqlServer::start);
        return new OwnServer(
                new ServerRig.Place(MySqlServer::jdbcUrl, server.port(), LEASE),
                server.process(),
                disk,
                () -> refuseLeases(
                        server::client,
                        "json_table(concat('[0', repeat(',0', %d - 1), ']'), '$[*]' columns(n int path '$')) j"),
                () -> {},
                server::close);
    }

    private static Optional<SmallDisk> smallDisk() {
        return SmallDisk.isPossible() ? Optional.of(SmallDisk.ofMegabytes(MEGABYTES)) : Optional.empty();
    }

    /** Takes all the room that is left. */
    void fill() {
        disk.orElseThrow().fill();
        refusal.run();
    }

    /** Gives it back, and starts the server again where it ended. */
    void recover() {
        disk.ifPresent(SmallDisk::makeRoom);
        if (!process.isRunning()) {
            process.startAgain();
        }
    }

    @Override
    public void close() {
        end.run();
        disk.ifPresent(SmallDisk::close);
    }
}
