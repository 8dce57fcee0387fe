package dev.incumbent.coordinator.quorum;

import dev.incumbent.wire.Tls;
import java.io.IOException;
import java.net.Socket;
import java.util.Optional;
import java.util.function.Supplier;

/** How a client shows who it is, and knows a node: a bearer token, and TLS. */
final class Access {
    private final Optional<Supplier<String>> token;
    private final Optional<Tls> tls;

    Access(Optional<Supplier<String>> token, Optional<Tls> tls) {
        this.token = token;
        this.tls = tls;
    }

    /** Asked anew for each request: the token's file may have changed. */
    Optional<String> authorization() {
        return token.map(secret -> "Bearer " + secret.get());
    }

    /** The socket itself, or TLS over it, the node's name checked. */
    Socket secured(Socket raw, String host, int port) throws IOException {
        return tls.isEmpty() ? raw : tls.get().over(raw, host, port);
    }

    /** Names no secret. */
    @Override
    public String toString() {
        return (token.isPresent() ? "with a token" : "without a token") + (tls.isPresent() ? ", over TLS" : "");
    }
}
