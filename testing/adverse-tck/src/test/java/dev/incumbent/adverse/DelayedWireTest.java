package dev.incumbent.adverse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.TcpProxy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A wire on which requests wait until the healing: they arrive then, and what is answered to them is lost, as it was all the time. */
@Tag("realtime")
@Timeout(60)
class DelayedWireTest {
    private static final int REQUEST = 7;
    private static final int ANSWER = 8;

    @Test
    void whatArrivesAfterTheHealingIsAnsweredToNobody() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpProxy wire = TcpProxy.to(server.getLocalPort())) {
            wire.cut(TcpProxy.Fault.DELAYED);
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), wire.port());
                    Socket accepted = server.accept()) {
                client.getOutputStream().write(REQUEST);
                whileItWaits(wire);
                wire.heal();

                assertThat(accepted.getInputStream().read()).as("it arrives").isEqualTo(REQUEST);
                accepted.getOutputStream().write(ANSWER);
                assertThat(heard(client)).as("and its connection ends").isEqualTo(-1);
            }
        }
    }

    @Test
    void whoComesAfterTheHealingIsAnswered() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                TcpProxy wire = TcpProxy.to(server.getLocalPort())) {
            wire.cut(TcpProxy.Fault.DELAYED);
            wire.heal();
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), wire.port());
                    Socket accepted = server.accept()) {
                client.getOutputStream().write(REQUEST);
                assertThat(accepted.getInputStream().read()).isEqualTo(REQUEST);
                accepted.getOutputStream().write(ANSWER);
                assertThat(heard(client)).isEqualTo(ANSWER);
            }
        }
    }

    /** The request has reached the wire: a link on which nothing waits would be reset by the healing. */
    private static void whileItWaits(TcpProxy wire) {
        while (!wire.isDelaying()) {
            Thread.onSpinWait();
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
