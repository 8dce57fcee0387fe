package dev.incumbent.coordinator.quorum;

import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** How a client shows who it is, and knows a node: a bearer token, and TLS. */
final class Access {
    private final Optional<String> token;
    private final Optional<SSLSocketFactory> tls;

    Access(Optional<String> token, Optional<SSLSocketFactory> tls) {
        this.token = token;
        this.tls = tls;
    }

    Optional<String> authorization() {
        return token.map(secret -> "Bearer " + secret);
    }

    /** The socket itself, or TLS over it, the node's name checked. */
    Socket secured(Socket raw, String host, int port) throws IOException {
        if (tls.isEmpty()) {
            return raw;
        }
        SSLSocket socket = (SSLSocket) tls.get().createSocket(raw, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        socket.setSSLParameters(parameters);
        socket.startHandshake();
        return socket;
    }

    /** Names no secret. */
    @Override
    public String toString() {
        return (token.isPresent() ? "with a token" : "without a token") + (tls.isPresent() ? ", over TLS" : "");
    }
}
