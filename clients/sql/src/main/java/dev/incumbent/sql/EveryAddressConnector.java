package dev.incumbent.sql;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOption;
import java.net.SocketOptions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;

/**
 * The inside of a socket that may try several addresses. A socket of the JDK's that has failed to connect cannot try again: so each attempt is made by a new one, with the
 * options that were set here before; and all that follows is done by the one that is connected.
 *
 * <p>May be closed by another thread than that which connects, reads or writes.
 */
final class EveryAddressConnector extends SocketImpl {
    private final Route route;

    /** What was set before the connection, for each attempt. */
    private final List<Setting> settings = new CopyOnWriteArrayList<>();

    private volatile Socket current = new Socket();
    private volatile boolean connected;
    private volatile boolean closed;

    /** Finds an address that takes the connection, or throws; 0 ms have no bound. */
    interface Route {
        void connect(InetSocketAddress to, int millis, BooleanSupplier isClosed, Attempt attempt) throws IOException;
    }

    /** Connects to one address, or throws; 0 ms have no bound. */
    interface Attempt {
        void at(InetSocketAddress address, int millis) throws IOException;
    }

    private interface Setting {
        void on(Socket socket) throws IOException;
    }

    EveryAddressConnector(Route route) {
        this.route = route;
    }

    @Override
    protected void create(boolean stream) {
        // Each attempt makes a socket of its own.
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    /** A name without an address is for a SOCKS proxy to resolve, or is nobody's. */
    @Override
    protected void connect(SocketAddress endpoint, int millis) throws IOException {
        InetSocketAddress to = (InetSocketAddress) endpoint;
        if (to.isUnresolved()) {
            attempt(to, millis);
        } else {
            route.connect(to, millis, () -> closed, this::attempt);
        }
        connected = true;
        address = current.getInetAddress();
        port = current.getPort();
        localport = current.getLocalPort();
    }

    private void attempt(InetSocketAddress at, int millis) throws IOException {
        Socket last = current;
        Socket fresh = new Socket();
        current = fresh;
        last.close();
        if (closed) {
            throw new SocketException("Socket closed");
        }
        try {
            for (Setting setting : settings) {
                setting.on(fresh);
            }
            fresh.connect(at, millis);
        } catch (IOException e) {
            fresh.close();
            throw e;
        }
    }

    @Override
    protected void bind(InetAddress host, int port) throws IOException {
        set(socket -> socket.bind(new InetSocketAddress(host, port)));
        localport = current.getLocalPort();
    }

    @Override
    public void setOption(int option, Object value) throws SocketException {
        Setting setting = setting(option, value);
        try {
            set(setting);
        } catch (SocketException e) {
            throw e;
        } catch (IOException e) {
            throw new SocketException(e.toString());
        }
    }

    @Override
    protected <T> void setOption(SocketOption<T> option, T value) throws IOException {
        set(socket -> socket.setOption(option, value));
    }

    private void set(Setting setting) throws IOException {
        if (!connected) {
            settings.add(setting);
        }
        setting.on(current);
    }

    private static Setting setting(int option, Object value) throws SocketException {
        return switch (option) {
            case SocketOptions.TCP_NODELAY -> socket -> socket.setTcpNoDelay((Boolean) value);
            case SocketOptions.SO_TIMEOUT -> socket -> socket.setSoTimeout((Integer) value);
            case SocketOptions.SO_KEEPALIVE -> socket -> socket.setKeepAlive((Boolean) value);
            case SocketOptions.SO_LINGER ->
                socket -> socket.setSoLinger(value instanceof Integer, value instanceof Integer seconds ? seconds : 0);
            case SocketOptions.SO_OOBINLINE -> socket -> socket.setOOBInline((Boolean) value);
            case SocketOptions.SO_SNDBUF -> socket -> socket.setSendBufferSize((Integer) value);
            case SocketOptions.SO_RCVBUF -> socket -> socket.setReceiveBufferSize((Integer) value);
            case SocketOptions.IP_TOS -> socket -> socket.setTrafficClass((Integer) value);
            case SocketOptions.SO_REUSEADDR -> socket -> socket.setReuseAddress((Boolean) value);
            default -> throw new SocketException("socket option " + option + " is not known");
        };
    }

    @Override
    public Object getOption(int option) throws SocketException {
        Socket socket = current;
        return switch (option) {
            case SocketOptions.TCP_NODELAY -> socket.getTcpNoDelay();
            case SocketOptions.SO_TIMEOUT -> socket.getSoTimeout();
            case SocketOptions.SO_KEEPALIVE -> socket.getKeepAlive();
            case SocketOptions.SO_LINGER -> socket.getSoLinger();
            case SocketOptions.SO_OOBINLINE -> socket.getOOBInline();
            case SocketOptions.SO_SNDBUF -> socket.getSendBufferSize();
            case SocketOptions.SO_RCVBUF -> socket.getReceiveBufferSize();
            case SocketOptions.IP_TOS -> socket.getTrafficClass();
            case SocketOptions.SO_REUSEADDR -> socket.getReuseAddress();
            case SocketOptions.SO_BINDADDR -> socket.getLocalAddress();
            default -> throw new SocketException("socket option " + option + " is not known");
        };
    }

    @Override
    protected <T> T getOption(SocketOption<T> option) throws IOException {
        return current.getOption(option);
    }

    @Override
    protected Set<SocketOption<?>> supportedOptions() {
        return current.supportedOptions();
    }

    @Override
    protected InputStream getInputStream() throws IOException {
        return current.getInputStream();
    }

    @Override
    protected OutputStream getOutputStream() throws IOException {
        return current.getOutputStream();
    }

    @Override
    protected int available() throws IOException {
        return current.getInputStream().available();
    }

    @Override
    protected void shutdownInput() throws IOException {
        current.shutdownInput();
    }

    @Override
    protected void shutdownOutput() throws IOException {
        current.shutdownOutput();
    }

    @Override
    protected boolean supportsUrgentData() {
        return true;
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        current.sendUrgentData(data);
    }

    @Override
    protected void close() throws IOException {
        closed = true;
        current.close();
    }

    @Override
    protected void listen(int backlog) throws IOException {
        throw new SocketException("it listens to nobody");
    }

    @Override
    protected void accept(SocketImpl taken) throws IOException {
        throw new SocketException("it listens to nobody");
    }
}
