package dev.incumbent.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.UnknownHostException;
import java.sql.Driver;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a driver is given to connect with: here one that tells what it was given. */
class SqlUriConnectTest {
    private final AtomicReference<Properties> given = new AtomicReference<>(new Properties());

    @Test
    void theDriversOfServersAreGivenOurSockets() throws Exception {
        String ours = EveryAddressSocketFactory.class.getName();

        assertThat(factoryFor("postgresql://db/offices", driver(ownLoader()))).contains(ours);
        assertThat(factoryFor("mariadb://db-1,db-2/offices", driver(ownLoader())))
                .contains(ours);
        assertThat(factoryFor("jdbc:h2:file:/var/lib/offices", driver(ownLoader())))
                .isEmpty();
        assertThat(Class.forName(ours).getConstructor().newInstance()).isInstanceOf(EveryAddressSocketFactory.class);
    }

    @Test
    void aFactoryThatTheUriNamesStays() throws Exception {
        assertThat(factoryFor("postgresql://db/offices?socketFactory=com.example.Sockets", driver(ownLoader())))
                .contains("com.example.Sockets");
    }

    /** As a servlet container's own does: it would fail with the name of a class that it does not find. */
    @Test
    void aDriverThatDoesNotFindOurClassIsGivenNone() throws Exception {
        assertThat(factoryFor("postgresql://db/offices", driver(ClassLoader.getPlatformClassLoader())))
                .isEmpty();
    }

    @Test
    void theSettingsOfTheCallerStayAsTheyAre() throws Exception {
        SqlUri uri = uri("postgresql://db/offices");
        Properties settings = uri.with("connectTimeout", "3");

        uri.connect(driver(ownLoader()), settings);

        assertThat(settings).containsOnlyKeys("connectTimeout");
        assertThat(Objects.requireNonNull(given.get())).containsEntry("connectTimeout", "3");
    }

    /** It took the connection, and did not answer as a server does. */
    @Test
    void anAddressWithoutAnAnswerIsLeftForTheNextConnection() throws Exception {
        try (ServerSocket second = new ServerSocket(0, 50, loopback(1));
                ServerSocket first = new ServerSocket(second.getLocalPort(), 50, loopback(3))) {
            SqlUri uri = uri("postgresql://unanswering.test:" + first.getLocalPort() + "/offices");

            assertThat(addressAfter("28P01", uri)).isEqualTo("127.0.0.3");
            assertThat(addressAfter("08001", uri)).isEqualTo("127.0.0.3");
            assertThat(addressAfter("08001", uri)).isEqualTo("127.0.0.1");
            assertThat(addressAfter("08001", uri)).isEqualTo("127.0.0.3");
        }
    }

    /** MariaDB's driver has another form for a host, of which nothing is known here. */
    @Test
    void aHostInAnotherFormIsLeftAsItIs() {
        SqlUri uri = uri("mariadb://address=(host=db)(port=3306)/offices");
        Driver refusing = driver(ownLoader(), (url, settings) -> {
            throw new SQLException("refused", "08000");
        });

        assertThatThrownBy(() -> uri.connect(refusing, new Properties()))
                .isInstanceOf(SQLException.class)
                .hasMessage("refused");
    }

    /** Where a connection went that ended in that state. */
    private static String addressAfter(String state, SqlUri uri) {
        List<String> addresses = new ArrayList<>();
        Driver driver = driver(ownLoader(), (url, settings) -> {
            String[] place = url.split("[/:]+", -1);
            try (Socket socket = new EveryAddressSocketFactory().createSocket(place[2], Integer.parseInt(place[3]))) {
                addresses.add(socket.getInetAddress().getHostAddress());
            }
            throw new SQLException("refused", state);
        });
        assertThatThrownBy(() -> uri.connect(driver, new Properties())).hasMessage("refused");
        assertThat(addresses).hasSize(1);
        return addresses.get(0);
    }

    private Optional<String> factoryFor(String uri, Driver driver) throws SQLException {
        SqlUri parsed = uri(uri);
        parsed.connect(driver, parsed.properties());
        return Optional.ofNullable(Objects.requireNonNull(given.get()).getProperty("socketFactory"));
    }

    private static InetAddress loopback(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
    }

    private static SqlUri uri(String text) {
        return SqlUri.parse(text, name -> Optional.empty()).orElseThrow();
    }

    private static ClassLoader ownLoader() {
        return SqlUriConnectTest.class.getClassLoader();
    }

    private Driver driver(ClassLoader loader) {
        return driver(loader, (url, settings) -> given.set(settings));
    }

    private interface Connecting {
        void connect(String url, Properties settings) throws Exception;
    }

    /** A driver whose class that loader has. */
    private static Driver driver(ClassLoader loader, Connecting connecting) {
        return (Driver) Proxy.newProxyInstance(loader, new Class<?>[] {Driver.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("connect")) {
                connecting.connect((String) arguments[0], (Properties) arguments[1]);
            }
            return null;
        });
    }
}
