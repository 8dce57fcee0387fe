package dev.incumbent.fence.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.TcpProxy;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Host names with two addresses, of which the second alone is a database's; one for each test, since what is known of a host is shared. The JDK takes them from the file {@code hosts} of the test's resources. */
@Tag("field")
@Tag("realtime")
@SuppressWarnings("AddressSelection") // each address has a proxy of its own
class SeveralAddressesTest {
    private static final String FIRST = "127.0.0.3";
    private static final String SECOND = "127.0.0.1";
    private static final Duration BOUND = Duration.ofSeconds(20);
    private static final Mark SEVEN = new Mark(new FencingToken(7), MarkOwner.ofOperator("me"));

    @Test
    void ofPostgresAnAddressThatRefusesConnectionsIsLeftForTheNext() {
        try (PostgresServer server = PostgresServer.start()) {
            assertServed(byName("postgres.test", server.jdbcUrl()));
        }
    }

    @Test
    void ofMariaDbAnAddressThatRefusesConnectionsIsLeftForTheNext() {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertServed(byName("mariadb.test", server.jdbcUrl()));
        }
    }

    @Test
    void ofMySqlAnAddressThatRefusesConnectionsIsLeftForTheNext() {
        Assumptions.assumeTrue(MySqlServer.isInstalled(), "MySQL could not be had (scripts/install-servers)");
        try (MySqlServer server = MySqlServer.start()) {
            assertServed(byName("mysql.test", server.jdbcUrl()));
        }
    }

    /** A name for the primary and its standby, as many are given. */
    @Test
    void ofPostgresAnAddressOfAStandbyIsLeftForTheNext() {
        try (PostgresServer primary = PostgresServer.start()) {
            new SqlSinkProvider().install(primary.jdbcUrl());
            try (PostgresServer standby = primary.startStandby();
                    TcpProxy first = proxy(primary.port(), standby.port())) {
                assertTheStandbyIsLeft(byName("postgres-standby.test", primary.jdbcUrl()));
                assertThat(first.accepted()).isPositive();
            }
        }
    }

    /** Another server by itself, which is read-only as a replica is. */
    @Test
    void ofMariaDbAnAddressOfAReplicaIsLeftForTheNext() {
        try (MariaDbServer primary = MariaDbServer.start();
                MariaDbServer replica = MariaDbServer.start();
                TcpProxy first = proxy(primary.port(), replica.port())) {
            new SqlSinkProvider().install(primary.jdbcUrl());
            assertThat(replica.client("set global read_only=1")).isEmpty();

            assertTheStandbyIsLeft(byName("mariadb-replica.test", primary.jdbcUrl()));
            assertThat(first.accepted()).isPositive();
        }
    }

    private static TcpProxy proxy(int port, int to) {
        return TcpProxy.at(new InetSocketAddress(FIRST, port), new InetSocketAddress(SECOND, to));
    }

    private static void assertTheStandbyIsLeft(String url) {
        try (Sink sink = new SqlSinkProvider().open(url, BOUND)) {
            assertThatThrownBy(() -> sink.raise(Leader.BILLING, SEVEN)
                            .toCompletableFuture()
                            .join())
                    .hasMessageContaining("the server is read-only");

            assertThat(sink.raise(Leader.BILLING, SEVEN).toCompletableFuture().join())
                    .isInstanceOf(Raise.Raised.class);
        }
    }

    private static void assertServed(String url) {
        SqlSinkProvider provider = new SqlSinkProvider();
        provider.install(url);
        try (Sink sink = provider.open(url, BOUND)) {
            assertThat(sink.raise(Leader.BILLING, SEVEN).toCompletableFuture().join())
                    .isInstanceOf(Raise.Raised.class);
        }
    }

    private static String byName(String host, String url) {
        return url.replace("//" + SECOND, "//" + host);
    }
}
