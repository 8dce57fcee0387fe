package dev.incumbent.wire;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** One HTTP/1.1 connection to one address of a host. Used by one thread; {@link #abort} may be called by any, and ends whatever that thread waits for. */
final class HttpSocket {
    private static final int BUFFER = 16_384;

    private final InetAddress address;
    private final SocketChannel channel;
    private InputStream in = InputStream.nullInputStream();
    private OutputStream out = OutputStream.nullOutputStream();

    HttpSocket(InetAddress address) throws IOException {
        this.address = address;
        this.channel = SocketChannel.open();
    }

    InetAddress address() {
        return address;
    }

    /** Connects; over TLS where there is a context, and asks for the certificate of the host, whatever the address. */
    void connect(String host, int port, Optional<SSLContext> tls, int millis) throws IOException {
        Socket socket = channel.socket();
        socket.setTcpNoDelay(true);
        socket.setKeepAlive(true);
        socket.connect(new InetSocketAddress(address, port), millis);
        socket.setSoTimeout(millis);
        Socket spoken = tls.isPresent() ? Tls.over(tls.get(), socket, host, port) : socket;
        socket.setSoTimeout(0);
        in = new BufferedInputStream(spoken.getInputStream(), BUFFER);
        out = spoken.getOutputStream();
    }

    /** Sends a request in one piece. */
    void send(String method, URI uri, Map<String, List<String>> headers, Optional<byte[]> body) throws IOException {
        String path = Optional.ofNullable(uri.getRawPath())
                .filter(it -> !it.isEmpty())
                .orElse("/");
        String query =
                Optional.ofNullable(uri.getRawQuery()).map(it -> "?" + it).orElse("");
        StringBuilder head = new StringBuilder(method + " " + path + query + " HTTP/1.1\r\n");
        String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
        head.append("Host: ").append(uri.getHost()).append(port).append("\r\n");
        body.ifPresent(
                bytes -> head.append("Content-Length: ").append(bytes.length).append("\r\n"));
        headers.forEach((name, values) -> values.forEach(
                value -> head.append(name).append(": ").append(value).append("\r\n")));
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        whole.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        body.ifPresent(whole::writeBytes);
        out.write(whole.toByteArray());
        out.flush();
    }

    /** Waits for the head of the answer to a request of that method; the body is still to be read. */
    HttpHead receive(String method) throws IOException {
        return HttpHead.read(in, method);
    }

    /** Between requests: is it still open at the other end? What was sent over a connection that had ended would be uncertain for nothing. */
    boolean isUsable() {
        try {
            channel.configureBlocking(false);
            boolean isSilent = channel.read(ByteBuffer.allocate(1)) == 0;
            channel.configureBlocking(true);
            return isSilent;
        } catch (IOException ended) {
            return false;
        }
    }

    /** Ends the connection under whoever uses it. Below TLS, whose farewell could wait for ever. */
    void abort() {
        try {
            channel.close();
        } catch (IOException alreadyGone) {
            // closed is what it shall be
        }
    }
}
