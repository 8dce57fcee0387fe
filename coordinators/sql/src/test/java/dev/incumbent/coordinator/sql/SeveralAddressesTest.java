package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static dev.incumbent.coordinator.tck.Asking.vacant;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.MariaDbServer;
import dev.incumbent.servers.MySqlServer;
import dev.incumbent.servers.PgBouncer;
import dev.incumbent.servers.PostgresServer;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Host names with two addresses, of which the second alone is a database's; one for each test, since what is known of a host is shared. The JDK takes them from the file {@code hosts} of the test's resources. */
@Tag("field")
@Tag("realtime")
@SuppressWarnings("AddressSelection") // each address has a proxy of its own
class SeveralAddressesTest {
    private static final String FIRST = "127.0.0.3";
    private static final String SECOND = "127.0.0.1";
    private static final Duration REQUEST = Duration.ofSeconds(6);
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final SystemTimeline time = new SystemTimeline();

    @AfterEach
    void close() {
        time.close();
    }

    @Test
    void ofPostgresAnAddressThatRefusesConnectionsIsLeftForTheNext() throws Exception {
        assertThat(InetAddress.getAllByName("postgres.test"))
                .extracting(InetAddress::getHostAddress)
                .containsExactly(FIRST, SECOND);
        try (PostgresServer server = PostgresServer.start();
                PgBouncer pooler = PgBouncer.before(server)) {
            assertServed(byName("postgres.test", server.jdbcUrl()));
            assertServed(byName("pgbouncer.test", PostgresServer.jdbcUrl(pooler.port())));
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
        Servers.assumeMySql();
        try (MySqlServer server = MySqlServer.start()) {
            assertServed(byName("mysql.test", server.jdbcUrl()));
        }
    }

    /** Its certificate has the name, and none of the addresses. */
    @Test
    void ofPostgresTheServerAtTheNextAddressIsAskedForItsName() throws Exception {
        try (ServerCertificate certificate = ServerCertificate.naming("DNS:postgres-tls.test");
                PostgresServer server = PostgresServer.start()) {
            give(server, "server.crt", certificate.file());
            give(server, "server.key", certificate.key());
            server.psql("alter system set ssl=on");
            server.psql("select pg_reload_conf()");
            Waiting.until("TLS", () -> server.psql("show ssl").equals("on"));
            String tls = server.jdbcUrl() + "&sslmode=verify-full&sslrootcert=" + certificate.file();

            assertServed(byName("postgres-tls.test", tls));
            try (Coordinator byAddress = open(tls)) {
                assertThat(failure(byAddress.grant(new CandidateId("ada"), LEASE)))
                        .hasMessageContaining("could not be verified");
            }
        }
    }

    /** It reads its key only from a file that it alone may read. */
    private static void give(PostgresServer server, String name, Path pem) throws IOException {
        String lines =
                Files.readAllLines(pem).stream().map(line -> "('" + line + "')").collect(Collectors.joining(","));
        server.psql("copy (values " + lines + ") to program 'umask 077; cat > " + name + "'");
    }

    /** Its certificate has the name, and none of the addresses. */
    @Test
    void ofMariaDbTheServerAtTheNextAddressIsAskedForItsName() {
        try (ServerCertificate certificate = ServerCertificate.naming("DNS:mariadb-tls.test")) {
            certificate.letInAll();
            try (MariaDbServer server = MariaDbServer.start(
                    List.of("ssl-cert=" + certificate.file(), "ssl-key=" + certificate.key()), Map.of())) {
                assertServed(byName("mariadb-tls.test", server.jdbcUrl()) + "&sslMode=verify-full&serverSslCert="
                        + certificate.file());
            }
        }
    }

    @Test
    void ofPostgresAnAddressThatTakesConnectionsAndDoesNotAnswerIsLeftForTheNext() throws Exception {
        try (PostgresServer server = PostgresServer.start()) {
            assertServedBesideASilentOne(byName("postgres-silent.test", server.jdbcUrl()), server.port());
        }
    }

    @Test
    void ofMariaDbAnAddressThatTakesConnectionsAndDoesNotAnswerIsLeftForTheNext() throws Exception {
        try (MariaDbServer server = MariaDbServer.start()) {
            assertServedBesideASilentOne(byName("mariadb-silent.test", server.jdbcUrl()), server.port());
        }
    }

    private void assertServedBesideASilentOne(String url, int port) throws IOException {
        try (ServerSocket silent = new ServerSocket(port, 50, InetAddress.getByName(FIRST))) {
            silent.setSoTimeout(1_000);
            assertServed(url);
            silent.accept().close();
        }
    }

    /** A name for the primary and its standby, as many are given. */
    @Test
    void anAddressOfAStandbyIsLeftForTheNext() throws Exception {
        try (PostgresServer primary = PostgresServer.start();
                PostgresServer standby = primary.startStandby();
                TcpProxy first = TcpProxy.at(
                        new InetSocketAddress(FIRST, primary.port()), new InetSocketAddress(SECOND, standby.port()));
                Coordinator client = open(byName("postgres-standby.test", primary.jdbcUrl()))) {
            Revision revision = swapped(client, Revision.ABSENT, vacant(1));

            assertThat(found(client).revision()).isEqualTo(revision);
            assertThat(first.accepted()).isPositive();
        }
    }

    private void assertServed(String url) {
        try (Coordinator client = open(url)) {
            LeaseId lease = client.grant(new CandidateId("ada"), LEASE)
                    .toCompletableFuture()
                    .join()
                    .id();
            client.keepAlive(lease).toCompletableFuture().join();
            client.revoke(lease).toCompletableFuture().join();
        }
    }

    private static String byName(String host, String url) {
        return url.replace("//" + SECOND, "//" + host);
    }

    private Coordinator open(String url) {
        return new SqlCoordinatorProvider().open(url, time, REQUEST, Mode.CREATE);
    }
}
