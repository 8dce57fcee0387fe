package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wire that is cut refuses everybody: also whoever was on the way through it. */
@Tag("patient")
class RefusedWireTest {
    private static final int PATIENCE_MILLIS = 20_000;

    /** The server takes nobody for a while, so the wire is cut between its client's connection and its own. */
    @Test
    @Timeout(60)
    void whoIsOnTheWayWhileTheWireIsCutIsResetAndNotLeftInSilence() throws IOException {
        List<Socket> crowd = new ArrayList<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpProxy wire = TcpProxy.to(server.getLocalPort())) {
            fill(server, crowd);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), wire.port())) {
                client.setSoTimeout(PATIENCE_MILLIS);

                wire.cut(TcpProxy.Fault.REFUSED);
                server.accept().close();
                server.accept().close();

                InputStream answers = client.getInputStream();
                assertThatThrownBy(answers::read).isExactlyInstanceOf(SocketException.class);
                assertThat(Waiting.within(Duration.ofSeconds(20), () -> wire.connections() == 0))
                        .as("the wire forgets the connection, at the latest some time after its client was told")
                        .isTrue();
            }
        } finally {
            for (Socket one : crowd) {
                one.close();
            }
        }
    }

    /** As many as it holds for its next calls of accept; the kernel lets the next one wait. */
    private static void fill(ServerSocket server, List<Socket> crowd) throws IOException {
        for (int i = 0; i < 2; i++) {
            Socket one = new Socket();
            one.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.getLocalPort()));
            crowd.add(one);
        }
    }
}
