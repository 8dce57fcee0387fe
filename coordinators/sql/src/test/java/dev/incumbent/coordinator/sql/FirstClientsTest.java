package dev.incumbent.coordinator.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.jdbc.Sql;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Hosts that start together find an empty database together, and make its tables at once. */
final class FirstClientsTest {
    private static final int CLIENTS = 6;
    /** H2 looks whether an index is there, and only then waits for the lock of its table: of six clients that made one at once, one or two failed. */
    private static final int ROUNDS_ON_H2 = 10;

    @Test
    void makeTheTablesOfAnH2() throws Exception {
        for (int round = 0; round < ROUNDS_ON_H2; round++) {
            assertThatAllMayMakeThem(Servers.h2(), new H2Dialect());
        }
    }

    @Test
    void makeTheTablesOfAPostgres() throws Exception {
        assertThatAllMayMakeThem(Servers.postgres(), new PostgresDialect());
    }

    @Test
    void makeTheTablesOfAMariaDb() throws Exception {
        assertThatAllMayMakeThem(Servers.mariaDb(), new MariaDbDialect());
    }

    private static void assertThatAllMayMakeThem(ServerRig.Place place, Dialect dialect) throws Exception {
        try (ServerRig rig = new ServerRig(place)) {
            List<ServerSession> sessions = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Connection connection = rig.connection();
                Sql sql = new Sql(connection, dialect.warnings());
                sessions.add(new ServerSession(connection, connection::close, sql, dialect, false, 0));
            }
            CyclicBarrier all = new CyclicBarrier(CLIENTS);
            List<CompletableFuture<Boolean>> made = sessions.stream()
                    .map(session ->
                            CompletableFuture.supplyAsync(() -> made(session, all), work -> new Thread(work).start()))
                    .toList();
            for (CompletableFuture<Boolean> one : made) {
                assertThat(one.get(20, TimeUnit.SECONDS)).isTrue();
            }
            assertThat(sessions.get(0).sql().query("select version from incumbent_schema", row -> row.getInt(1)))
                    .containsExactly(ServerSchema.VERSION);
            sessions.forEach(ServerSession::close);
        }
    }

    private static boolean made(ServerSession session, CyclicBarrier all) {
        try {
            all.await(10, TimeUnit.SECONDS);
            ServerSchema.create(session, "");
            return ServerSchema.isThere(session);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
