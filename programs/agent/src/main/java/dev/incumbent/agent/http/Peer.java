package dev.incumbent.agent.http;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import jdk.net.ExtendedSocketOptions;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;

/** Who is at the other end of a Unix socket, as the kernel says. */
final class Peer {
    private static final String ROOT = "root";

    private Peer() {}

    /** The name of the user that opened the connection; empty where the kernel does not say. */
    static Optional<String> user(Request request) {
        EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
        if (!(end instanceof SocketChannelEndPoint socket)) {
            return Optional.empty();
        }
        try {
            SocketChannel channel = socket.getChannel();
            return Optional.of(
                    channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user().getName());
        } catch (IOException | UnsupportedOperationException unknown) {
            return Optional.empty();
        }
    }

    /** Is that the agent's own user, or root? */
    static boolean isTrusted(String user, String own) {
        return user.equals(own) || user.equals(ROOT);
    }
}
