package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wire on which requests are held: nothing is lost, and a connection that its server ended ends. */
@Tag("realtime")
@Timeout(60)
class HeldWireTest {
    private static final int REQUEST = 7;
    private static final int PATIENCE_MILLIS = 10_000;

    @Test
    void aConnectionThatTheServerEndedMeanwhileEndsOnceItsRequestIsLetGo() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpProxy wire = TcpProxy.to(server.getLocalPort())) {
            wire.hold();
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), wire.port())) {
                client.setSoTimeout(PATIENCE_MILLIS);
                Socket accepted = server.accept();
                client.getOutputStream().write(REQUEST);
                while (!wire.isHolding()) {
                    Thread.onSpinWait();
                }
                accepted.shutdownOutput();
                LockSupport.parkNanos(200_000_000); // the wire has heard of it
                wire.letGo();

                assertThat(accepted.getInputStream().read()).as("it arrives").isEqualTo(REQUEST);
                assertThat(heard(client)).as("and its connection ends").isEqualTo(-1);
                accepted.close();
            }
        }
    }

    /** The next byte; -1 where the connection ended, in whichever way. */
    private static int heard(Socket client) throws IOException {
        try {
            return client.getInputStream().read();
        } catch (SocketException reset) {
            return -1;
        }
    }
}
