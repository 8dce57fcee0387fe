package dev.incumbent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import org.eclipse.jetty.server.handler.DefaultHandler;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whose the place of a Unix socket is, and what is removed there. */
class SocketFileTest {
    @TempDir
    private Path folder;

    private Path path = Path.of("");

    @BeforeEach
    void name() {
        path = folder.resolve("agent.sock");
    }

    @Test
    void aPlaceIsOnesUntilHeLetsGoOfIt() throws IOException {
        SocketFile first = SocketFile.keep(path);
        assertThatThrownBy(() -> SocketFile.keep(path))
                .hasMessage(path + " is in use: another agent holds " + path + ".lock");
        first.close();

        SocketFile.keep(path).close();

        assertThat(folder.resolve("agent.sock.lock")).exists();
    }

    @Test
    void aSocketOnWhichNobodyListensIsRemoved() throws IOException {
        bind(path).close();

        SocketFile.keep(path).close();

        assertThat(path).doesNotExist();
    }

    @Test
    void aSocketOnWhichAnotherListensStays() throws IOException {
        try (ServerSocketChannel other = bind(path)) {
            assertThatThrownBy(() -> SocketFile.keep(path))
                    .hasMessage(path + " is in use: another process listens on it");
            assertThat(other.isOpen()).isTrue();
            assertThat(path).exists();
        }
    }

    /** Also one that leads to a socket, and one that leads nowhere. */
    @Test
    void aLinkIsNoSocketAndStays() throws IOException {
        bind(folder.resolve("other.sock")).close();
        for (String end : List.of("other.sock", "nowhere")) {
            Files.createSymbolicLink(path, folder.resolve(end));

            assertThatThrownBy(() -> SocketFile.keep(path)).as(end).hasMessage(path + " is no socket, and stays");

            assertThat(Files.exists(path, LinkOption.NOFOLLOW_LINKS)).as(end).isTrue();
            Files.delete(path);
        }
    }

    @Test
    void aLockIsNotMadeWhereALinkLeads() throws IOException {
        Path elsewhere = folder.resolve("elsewhere");
        Files.createSymbolicLink(folder.resolve("agent.sock.lock"), elsewhere);

        assertThatThrownBy(() -> SocketFile.keep(path)).isInstanceOf(IOException.class);

        assertThat(elsewhere).doesNotExist();
    }

    @Test
    void aDoorThatCannotOpenAndOneThatIsClosedLetGoOfTheirPlace() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<Listen> both = List.of(new Listen.Unix(path), new Listen.Tcp("127.0.0.1", taken.getLocalPort()));
            assertThatThrownBy(() -> Door.open(both, "rw-------", new DefaultHandler()))
                    .isInstanceOf(IOException.class);
        }
        SocketFile.keep(path).close();
        Door.open(List.of(new Listen.Unix(path)), "rw-------", new DefaultHandler())
                .close();

        SocketFile.keep(path).close();
    }

    private static ServerSocketChannel bind(Path where) throws IOException {
        ServerSocketChannel bound = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        bound.bind(UnixDomainSocketAddress.of(where));
        return bound;
    }
}
