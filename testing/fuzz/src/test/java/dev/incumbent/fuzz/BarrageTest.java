package dev.incumbent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.fuzz.Outcome.How;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every request of a barrage is sent as it is, and has an outcome. */
final class BarrageTest {
    private static final List<Example> EXAMPLES = List.of(Example.of("POST", "/x", "body"));
    private static final int COUNT = 2 * Sort.values().length;

    private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();

    /** Reads all that comes, and answers once its peer has nothing more to say, or takes the connection and closes it. */
    private static final class Server implements AutoCloseable {
        private final ServerSocket listening;
        private final Queue<String> read = new ConcurrentLinkedQueue<>();

        private Server(String answer) throws IOException {
            listening = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(() -> accept(answer), "server");
            thread.setDaemon(true);
            thread.start();
        }

        private void accept(String answer) {
            try {
                while (true) {
                    Socket socket = listening.accept();
                    Thread thread = new Thread(() -> serve(socket, answer), "one");
                    thread.setDaemon(true);
                    thread.start();
                }
            } catch (IOException closed) {
                // The test is over.
            }
        }

        private void serve(Socket socket, String answer) {
            try (socket) {
                read.add(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1));
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.ISO_8859_1));
            } catch (IOException reset) {
                // As some do.
            }
        }

        private List<Integer> ports() {
            return List.of(listening.getLocalPort());
        }

        @Override
        public void close() {
            try {
                listening.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    @Test
    void everyRequestHasAnOutcomeAndTheBytesThatWereMadeArrive() throws Exception {
        Fuzzer fuzzer = new Fuzzer(3, EXAMPLES);
        try (Server server = new Server("HTTP/1.1 400 Bad Request\r\n\r\n");
                Barrage barrage = new Barrage(fuzzer, server.ports())) {
            barrage.send(0, COUNT, 120, outcomes::add);

            assertThat(outcomes.stream()
                            .map(outcome -> outcome.request().number())
                            .collect(Collectors.toSet()))
                    .hasSize(COUNT);
            Set<String> arrived = Set.copyOf(server.read);
            assertThat(outcomes)
                    .filteredOn(outcome -> outcome.request().end() == MalformedRequest.End.READS
                            || outcome.request().end() == MalformedRequest.End.HALF_CLOSES)
                    .hasSizeGreaterThan(COUNT / 2)
                    .allSatisfy(outcome -> {
                        assertThat(outcome.how()).isEqualTo(How.CLOSED);
                        assertThat(outcome.statuses()).containsExactly(400);
                        assertThat(arrived.contains(outcome.request().bytes()))
                                .as(outcome.toString())
                                .isTrue();
                    });
            assertThat(barrage.stillOpen()).isEqualTo((int) outcomes.stream()
                    .filter(outcome -> outcome.how() == How.LEFT_OPEN)
                    .count());
        }
    }

    @Test
    void whoTakesNoConnectionIsTold() throws Exception {
        List<Integer> ports;
        try (Server server = new Server("")) {
            ports = server.ports();
        }
        try (Barrage barrage = new Barrage(new Fuzzer(3, EXAMPLES), ports)) {
            barrage.send(0, 5, 60, outcomes::add);
        }
        assertThat(outcomes.stream().map(Outcome::how).collect(Collectors.toSet()))
                .isEqualTo(EnumSet.of(How.NOT_TAKEN));
    }

    @Test
    void whatFailsInTheListenerIsNotSwallowed() throws Exception {
        try (Server server = new Server("");
                Barrage barrage = new Barrage(new Fuzzer(3, EXAMPLES), server.ports())) {
            assertThatThrownBy(() -> barrage.send(0, 5, 60, outcome -> {
                        throw new IllegalArgumentException("as the test wants it");
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasRootCauseMessage("as the test wants it");
        }
    }
}
