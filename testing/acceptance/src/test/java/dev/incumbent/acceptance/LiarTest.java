package dev.incumbent.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.time.SystemTimeline;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The trial's office without any fault, and with something planted in it that its checks must find. */
@Tag("realtime")
class LiarTest {
    private static final Office.Times TIMES =
            new Office.Times(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(2));
    private static final Duration LENGTH = Duration.ofSeconds(30);
    private static final int CANDIDATES = 3;
    private static PostgresServer server;

    @BeforeAll
    static void start() {
        server = PostgresServer.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** What is planted while the office runs. */
    @FunctionalInterface
    private interface Planted {
        void once(Connection connection) throws SQLException;
    }

    @Test
    void withoutALiarStragglersAreRefusedAndAllRowsAreInOrder() throws Exception {
        Ledger ledger = ledger("honest");

        terms(ledger, "honest", connection -> {});

        assertThat(ledger.refused()).isPositive();
        assertThat(ledger.audit().late()).isZero();
        assertThat(ledger.audit().rows()).isGreaterThanOrEqualTo(ledger.accepted());
    }

    @Test
    void aCandidateThatGoesOnUnfencedAfterItsTermIsFound() throws Exception {
        Ledger ledger = ledger("liar");

        terms(ledger, "liar", connection -> {
            awaitARowOfALaterTerm(connection);
            try (PreparedStatement insert =
                    connection.prepareStatement("insert into ledger_liar (token, who) values (1, 'liar')")) {
                insert.execute();
            }
        });

        assertThat(ledger.audit().late()).isEqualTo(1);
    }

    /** A term that has begun has not written yet, and a row of the first before any of the second is in order. */
    private static void awaitARowOfALaterTerm(Connection connection) throws SQLException {
        try (PreparedStatement await = connection.prepareStatement(
                "do $$ begin while not exists (select from ledger_liar where token > 1) loop perform pg_sleep(0.02); end loop; end $$")) {
            await.setQueryTimeout((int) LENGTH.toSeconds());
            await.execute();
        }
    }

    @Test
    void aSinkThatAdmitsEverybodyIsFound() throws Exception {
        Ledger fenced = ledger("unchecked");
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl());
                PreparedStatement plant = connection.prepareStatement("create schema planted;"
                        + " create function planted.admit(text, bigint) returns void language sql as 'select'")) {
            plant.execute();
        }
        Ledger unchecked = fenced.admittedBy("select planted.admit(?, ?)");

        terms(unchecked, "unchecked", connection -> {});

        assertThat(unchecked.refused()).isZero();
        assertThat(unchecked.audit().late()).isPositive();
    }

    private static Ledger ledger(String name) throws SQLException {
        return Ledger.create(server.jdbcUrl(), new ElectionName(name), "ledger_" + name);
    }

    /** Lets terms pass, and plants it after more than one of them. */
    private static void terms(Ledger ledger, String name, Planted planted) throws Exception {
        try (SystemTimeline time = new SystemTimeline();
                Witness witness = new Witness(time, LENGTH);
                Office office = new Office(time, ledger, witness, TIMES)) {
            office.open(new ElectionName(name), CANDIDATES, i -> server.jdbcUrl());
            awaitTerms(time, witness, 2);
            try (Connection connection = DriverManager.getConnection(server.jdbcUrl())) {
                planted.once(connection);
            }
            awaitTerms(time, witness, 4);
            assertThat(witness.doubles()).isEmpty();
            assertThat(witness.repetitions()).isEmpty();
        }
    }

    private static void awaitTerms(SystemTimeline time, Witness witness, int count) throws InterruptedException {
        long end = time.nanos() + LENGTH.toNanos();
        while (witness.terms() < count) {
            assertThat(time.nanos()).as("the beginning of term %d", count).isLessThan(end);
            SystemTimeline.sleep(Duration.ofMillis(20));
        }
    }
}
