package dev.incumbent.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Host names with two addresses, one for each test, which the JDK takes from the file {@code hosts} of the tests' resources. */
@Timeout(60)
@SuppressWarnings("AddressSelection") // drivers give a socket one address
class EveryAddressSocketFactoryTest {
    private static final String FIRST = "127.0.0.3";
    private static final String SECOND = "127.0.0.1";
    private static final int BOUND_MILLIS = 20_000;

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    @Test
    void whereTheFirstAddressRefusesTheNextOneIsConnected() throws Exception {
        assertThat(InetAddress.getAllByName("refusing.test"))
                .extracting(InetAddress::getHostAddress)
                .containsExactly(FIRST, SECOND);
        ServerSocket server = listen(SECOND, 0);

        Socket socket = socketOf(new EveryAddressSocketFactory());
        socket.connect(new InetSocketAddress("refusing.test", server.getLocalPort()), BOUND_MILLIS);

        Socket accepted = keep(server.accept());
        socket.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
        accepted.getOutputStream().write("!".getBytes(StandardCharsets.UTF_8));
        assertThat(accepted.getInputStream().readNBytes(5)).asString().isEqualTo("hello");
        assertThat(socket.getInputStream().read()).isEqualTo('!');
        assertThat(socket.isConnected()).isTrue();
        assertThat(socket.getInetAddress().getHostAddress()).isEqualTo(SECOND);
        assertThat(socket.getPort()).isEqualTo(server.getLocalPort());
        assertThat(socket.getLocalPort()).isEqualTo(accepted.getPort());
        assertThat(socket.getLocalAddress().getHostAddress()).isEqualTo(SECOND);
        assertThat(socket.getRemoteSocketAddress()).isEqualTo(server.getLocalSocketAddress());
    }

    /** MariaDB's driver sets some before it connects, and both read and change them later. */
    @Test
    void whatIsSetBeforeTheConnectionHoldsAtTheAddressThatTakesIt() throws Exception {
        ServerSocket server = listen(SECOND, 0);
        Socket socket = socketOf(new EveryAddressSocketFactory());

        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.setSoTimeout(1);
        socket.setSoLinger(true, 0);
        socket.setReuseAddress(true);
        socket.setOption(StandardSocketOptions.SO_RCVBUF, 9_000);
        socket.bind(new InetSocketAddress("127.0.0.9", 0));
        socket.connect(new InetSocketAddress("set.test", server.getLocalPort()), BOUND_MILLIS);

        assertThat(socket.getTcpNoDelay()).isTrue();
        assertThat(socket.getKeepAlive()).isTrue();
        assertThat(socket.getSoTimeout()).isEqualTo(1);
        assertThat(socket.getSoLinger()).isZero();
        assertThat(socket.getReuseAddress()).isTrue();
        assertThat(socket.getReceiveBufferSize()).isBetween(9_000, 20_000);
        assertThat(keep(server.accept()).getInetAddress().getHostAddress()).isEqualTo("127.0.0.9");
        assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
        socket.setSoTimeout(0);
        socket.setSoLinger(false, 0);
        assertThat(socket.getSoTimeout()).isZero();
        assertThat(socket.getSoLinger()).isEqualTo(-1);
    }

    @Test
    void theAddressThatAnsweredIsTriedFirstUntilItIsLeft() throws Exception {
        ServerSocket second = listen(SECOND, 0);
        int port = second.getLocalPort();
        assertThat(addressOf(new EveryAddressSocketFactory(), "answered.test", port))
                .isEqualTo(SECOND);
        ServerSocket first = listen(FIRST, port);

        assertThat(addressOf(new EveryAddressSocketFactory(), "answered.test", port))
                .isEqualTo(SECOND);
        uri("answered.test", port).leave();
        assertThat(addressOf(new EveryAddressSocketFactory(), "answered.test", port))
                .isEqualTo(FIRST);
        assertThat(first.isBound()).isTrue();
    }

    /** It names a process of that server by its number. */
    @Test
    void whatADriverConnectsNextByTheSameFactoryGoesToTheSameAddress() throws Exception {
        ServerSocket second = listen(SECOND, 0);
        int port = second.getLocalPort();
        EveryAddressSocketFactory session = new EveryAddressSocketFactory();
        assertThat(addressOf(session, "cancelled.test", port)).isEqualTo(SECOND);
        ServerSocket first = listen(FIRST, port);
        uri("cancelled.test", port).leave();

        assertThat(addressOf(session, "cancelled.test", port)).isEqualTo(SECOND);
        assertThat(addressOf(new EveryAddressSocketFactory(), "cancelled.test", port))
                .isEqualTo(FIRST);
        second.close();
        assertThatThrownBy(() -> addressOf(session, "cancelled.test", port)).isInstanceOf(ConnectException.class);
        assertThat(first.isBound()).isTrue();
    }

    @Test
    void whereNoAddressTakesTheConnectionItIsRefused() throws Exception {
        ServerSocket gone = listen(SECOND, 0);
        gone.close();
        Socket socket = socketOf(new EveryAddressSocketFactory());

        assertThatThrownBy(() -> socket.connect(new InetSocketAddress("gone.test", gone.getLocalPort())))
                .isInstanceOf(ConnectException.class);
        assertThat(socket.isConnected()).isFalse();
    }

    @Test
    void aNameThatNobodyKnowsIsToldAsTheJdkTellsIt() throws Exception {
        Socket socket = socketOf(new EveryAddressSocketFactory());

        assertThatThrownBy(() -> socket.connect(new InetSocketAddress("nobody.test", 1), BOUND_MILLIS))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("nobody.test");
    }

    @Test
    void whoClosesItEndsTheReadOfAnotherThread() throws Exception {
        ServerSocket server = listen(SECOND, 0);
        Socket socket = socketOf(new EveryAddressSocketFactory());
        socket.connect(server.getLocalSocketAddress());
        keep(server.accept());
        CompletableFuture<Integer> read = CompletableFuture.supplyAsync(() -> {
            try {
                return socket.getInputStream().read();
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });

        socket.close();

        assertThatThrownBy(read::get).hasRootCauseInstanceOf(SocketException.class);
        assertThat(socket.isClosed()).isTrue();
    }

    @Test
    void whoIsClosedBetweenTwoAddressesTriesNoOther() throws Exception {
        ServerSocket server = listen(SECOND, 0);
        AtomicReference<EveryAddressConnector> inside = new AtomicReference<>();
        EveryAddressConnector connector = new EveryAddressConnector((to, millis, isClosed, attempt) -> {
            assertThat(isClosed.getAsBoolean()).isFalse();
            Objects.requireNonNull(inside.get()).close();
            assertThat(isClosed.getAsBoolean()).isTrue();
            attempt.at(to, millis);
        });
        inside.set(connector);

        assertThatThrownBy(() -> connector.connect(server.getLocalSocketAddress(), BOUND_MILLIS))
                .isInstanceOf(SocketException.class)
                .hasMessage("Socket closed");
    }

    private String addressOf(EveryAddressSocketFactory factory, String host, int port) throws IOException {
        return keep(factory.createSocket(host, port)).getInetAddress().getHostAddress();
    }

    private static SqlUri uri(String host, int port) {
        return SqlUri.parse("postgresql://" + host + ":" + port + "/offices", name -> java.util.Optional.empty())
                .orElseThrow();
    }

    private Socket socketOf(EveryAddressSocketFactory factory) throws IOException {
        return keep(factory.createSocket());
    }

    private ServerSocket listen(String address, int port) throws IOException {
        return keep(new ServerSocket(port, 50, InetAddress.getByName(address)));
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }
}
