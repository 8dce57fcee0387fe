package dev.incumbent.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A host name with two addresses, which the JDK takes from the file {@code hosts} of the tests' resources. */
@Timeout(60)
class EveryAddressClientTest {
    private static final String HOST = "several.test";
    private static final String FIRST = "127.0.0.3";
    private static final String SECOND = "127.0.0.1";

    private final List<AutoCloseable> open = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();

    @TempDir
    private Path folder;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        threads.shutdownNow();
    }

    @Test
    void aRequestGoesToTheNextAddressWhereTheFirstRefuses() throws Exception {
        assertThat(InetAddress.getAllByName(HOST))
                .extracting(InetAddress::getHostAddress)
                .containsExactly(FIRST, SECOND);
        int port = serve(SECOND, 0);
        EveryAddressClient client = client(HttpClient.newBuilder());

        HttpResponse<String> answer = client.send(post(port, "hello"), HttpResponse.BodyHandlers.ofString());
        client.send(post(port, "again"), HttpResponse.BodyHandlers.ofString());

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("127.0.0.1 heard hello");
        assertThat(answer.uri()).isEqualTo(uri(port));
        assertThat(heard)
                .containsExactly(
                        "POST /a?b=c of several.test:" + port + " x=y: hello",
                        "POST /a?b=c of several.test:" + port + " x=y: again");
    }

    @Test
    void theFirstAddressServesAgainOnceTheOtherIsGone() throws Exception {
        HttpServer second = listening(SECOND, 0);
        int port = second.getAddress().getPort();
        EveryAddressClient client = client(HttpClient.newBuilder());
        assertThat(sent(client, port)).startsWith(SECOND);

        second.stop(0);
        serve(FIRST, port);

        // The first request after it may meet a connection that ends.
        assertThat(sentOrNot(client, port)).isIn("", "127.0.0.3 heard hello");
        assertThat(sent(client, port)).startsWith(FIRST);
        assertThat(sent(client, port)).startsWith(FIRST);
    }

    @Test
    void aRequestThatWasLateMakesTheNextOneGoElsewhere() throws Exception {
        int port = serve(SECOND, 0);
        ServerSocket silent = new ServerSocket(port, 50, InetAddress.getByName(FIRST));
        open.add(silent);
        EveryAddressClient client = client(HttpClient.newBuilder());
        HttpRequest impatient = HttpRequest.newBuilder(uri(port))
                .timeout(Duration.ofMillis(300))
                .build();

        assertThatThrownBy(() -> client.send(impatient, HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(HttpTimeoutException.class);

        assertThat(sent(client, port)).startsWith(SECOND);
    }

    @Test
    void whereNoAddressTakesConnectionsNothingWasSent() throws Exception {
        HttpServer gone = listening(SECOND, 0);
        int port = gone.getAddress().getPort();
        gone.stop(0);

        assertThatThrownBy(() -> sent(client(HttpClient.newBuilder()), port)).isInstanceOf(ConnectException.class);
    }

    @Test
    void aHostOfOneAddressIsAskedByTheJdkAlone() throws Exception {
        HttpServer server = listening(SECOND, 0);
        int port = server.getAddress().getPort();
        EveryAddressClient client = client(HttpClient.newBuilder());
        URI single = URI.create("http://single.test:" + port + "/");
        HttpRequest request = HttpRequest.newBuilder(single).build();
        server.stop(0);

        assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(ConnectException.class);

        serve(SECOND, port);
        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void theServerAtAnotherAddressIsAskedForItsNameOverTls() throws Exception {
        Path trusted = certificate(HOST);
        int port = serveOverTls(HOST);
        EveryAddressClient client = client(HttpClient.newBuilder()
                .sslContext(Tls.trusting(Optional.of(trusted)).context()));
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://" + HOST + ":" + port + "/"))
                .build();

        assertThat(client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
    }

    @Test
    void aServerAtAnotherAddressThatHasAnotherNameIsNotTrusted() throws Exception {
        Path trusted = certificate("elsewhere.test");
        int port = serveOverTls("elsewhere.test");
        EveryAddressClient client = client(HttpClient.newBuilder()
                .sslContext(Tls.trusting(Optional.of(trusted)).context()));
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://" + HOST + ":" + port + "/"))
                .build();

        assertThatThrownBy(() -> client.send(request, HttpResponse.BodyHandlers.ofString()))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining(HOST);
        assertThat(heard).isEmpty();
    }

    @Test
    void whatIsCancelledEndsItsConnection() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getAllByName(SECOND)[0])) {
            EveryAddressClient client = client(HttpClient.newBuilder());
            CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                    HttpRequest.newBuilder(uri(server.getLocalPort())).build(), HttpResponse.BodyHandlers.ofString());
            try (Socket asked = server.accept()) {
                assertThat(asked.getInputStream().read()).isEqualTo('G');

                answer.cancel(true);

                asked.getInputStream().readAllBytes();
                assertThat(answer).isCancelled();
            }
        }
    }

    @Test
    void aClientThatIsClosedEndsWhatIsUnderWay() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getAllByName(SECOND)[0])) {
            EveryAddressClient client = client(HttpClient.newBuilder());
            CompletableFuture<HttpResponse<String>> answer = client.sendAsync(
                    HttpRequest.newBuilder(uri(server.getLocalPort())).build(), HttpResponse.BodyHandlers.ofString());
            try (Socket asked = server.accept()) {
                assertThat(asked.getInputStream().read()).isEqualTo('G');

                client.close();

                asked.getInputStream().readAllBytes();
                assertThatThrownBy(answer::get).isInstanceOf(ExecutionException.class);
            }
        }
    }

    /** No longer than it may be, and nobody reads the rest. */
    @Test
    void anAnswerIsReadAsItsReaderAsksForIt() throws Exception {
        int port = serve(SECOND, 0);
        EveryAddressClient client = client(HttpClient.newBuilder());

        assertThatThrownBy(() -> client.send(post(port, "hello"), BoundedBody.ofAtMost(5)))
                .hasMessageContaining("the answer is longer than 5 bytes");
        assertThat(client.send(post(port, "hello"), BoundedBody.ofAtMost(500)).body())
                .isEqualTo("127.0.0.1 heard hello");
    }

    @Test
    void anAnswerThatItsReaderLeavesSaysNothingOfTheAddress() throws Exception {
        int port;
        EveryAddressClient client = client(HttpClient.newBuilder());
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getAllByName(SECOND)[0])) {
            port = server.getLocalPort();
            CompletableFuture<HttpResponse<InputStream>> answer =
                    client.sendAsync(post(port, "hello"), HttpResponse.BodyHandlers.ofInputStream());
            try (Socket asked = server.accept();
                    OutputStream out = asked.getOutputStream()) {
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na".getBytes(StandardCharsets.UTF_8));
                InputStream body = answer.get().body();
                assertThat(body.read()).isEqualTo('a');
                // Another request goes and comes; by then, the client waits for the rest of this answer.
                sent(client, serve(SECOND, 0));

                body.close();

                asked.getInputStream().readAllBytes();
            }
        }
        serve(FIRST, port);
        serve(SECOND, port);
        assertThat(sent(client, port)).startsWith(SECOND);
    }

    @Test
    void whatIsLateWhileTheNameIsResolvedIsNotSent() throws Exception {
        int port = serve(SECOND, 0);
        CountDownLatch resolved = new CountDownLatch(1);
        HostAddresses slow = new HostAddresses(
                "single.test",
                name -> {
                    await(resolved);
                    return InetAddress.getAllByName(name);
                },
                forgets -> {});
        slow.firstHasFailed();
        URI uri = URI.create("http://single.test:" + port + "/");
        List<URI> sent = new CopyOnWriteArrayList<>();
        EveryAddressClient client = client(HttpClient.newBuilder().proxy(new NoProxy(sent)));
        AddressedCall<String> call = new AddressedCall<>(
                client,
                new HostConnections(uri, SSLContext.getDefault(), slow),
                HttpRequest.newBuilder(uri).timeout(Duration.ofMillis(100)).build(),
                HttpResponse.BodyHandlers.ofString());

        assertThatThrownBy(call.begin()::get).hasCauseInstanceOf(HttpTimeoutException.class);
        resolved.countDown();

        call.whole().get();
        assertThat(sent).isEmpty();
    }

    /** Is asked for each request that the JDK's client sends. */
    private static final class NoProxy extends ProxySelector {
        private final List<URI> sent;

        NoProxy(List<URI> sent) {
            this.sent = sent;
        }

        @Override
        public List<Proxy> select(URI uri) {
            sent.add(uri);
            return List.of(Proxy.NO_PROXY);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {}
    }

    private static void await(CountDownLatch opened) {
        try {
            opened.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aClientThatIsRetiredFinishesWhatIsUnderWayAndKeepsNoConnection() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getAllByName(SECOND)[0])) {
            EveryAddressClient client = client(HttpClient.newBuilder());
            CompletableFuture<HttpResponse<String>> answer =
                    client.sendAsync(post(server.getLocalPort(), "hello"), HttpResponse.BodyHandlers.ofString());
            try (Socket asked = server.accept();
                    OutputStream out = asked.getOutputStream()) {
                assertThat(asked.getInputStream().read()).isEqualTo('P');

                client.retire();
                out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.UTF_8));

                assertThat(answer.get().body()).isEqualTo("ok");
                asked.getInputStream().readAllBytes();
            }
        }
    }

    @Test
    void whatEndsARequestThatHasItsAnswerLeavesItsConnectionToTheNext() throws Exception {
        int port = serve(SECOND, 0);
        List<Runnable> ends = new ArrayList<>();
        var request = new HostConnections.WholeRequest("GET", uri(port), Map.of(), "");
        try (HostConnections host = new HostConnections(uri(port), SSLContext.getDefault())) {
            host.ask(request, Duration.ofSeconds(20), 500, ends::add);
            ends.forEach(Runnable::run);
            host.ask(request, Duration.ofSeconds(20), 500, ends::add);
        }

        assertThat(connections).hasSize(1);
    }

    private EveryAddressClient client(HttpClient.Builder byName) {
        EveryAddressClient client = new EveryAddressClient(
                byName.version(HttpClient.Version.HTTP_1_1).build(), task -> {
                    Thread thread = new Thread(task, "every-address");
                    thread.setDaemon(true);
                    return thread;
                });
        open.add(client);
        return client;
    }

    private static String sent(EveryAddressClient client, int port) throws Exception {
        return client.send(post(port, "hello"), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static String sentOrNot(EveryAddressClient client, int port) throws Exception {
        try {
            return sent(client, port);
        } catch (IOException ended) {
            return "";
        }
    }

    private static HttpRequest post(int port, String body) {
        return HttpRequest.newBuilder(uri(port))
                .header("x", "y")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static URI uri(int port) {
        return URI.create("http://" + HOST + ":" + port + "/a?b=c");
    }

    private int serve(String address, int port) throws IOException {
        HttpServer server = listening(address, port);
        open.add(() -> server.stop(0));
        return server.getAddress().getPort();
    }

    private HttpServer listening(String address, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName(address), port), 0);
        start(server);
        return server;
    }

    private void start(HttpServer server) {
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            connections.add(exchange.getRemoteAddress());
            heard.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " of "
                    + exchange.getRequestHeaders().getFirst("Host") + " x="
                    + exchange.getRequestHeaders().getFirst("x") + ": " + body);
            byte[] told = (exchange.getLocalAddress().getAddress().getHostAddress() + " heard " + body)
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.equals("again") ? 0 : told.length);
            exchange.getResponseBody().write(told);
        }
    }

    private int serveOverTls(String name) throws Exception {
        SSLContext context = Tls.context(
                Tls.identity(new Tls.Identity(folder.resolve(name + ".crt"), folder.resolve(name + ".key"))),
                Tls.authorities(folder.resolve(name + ".crt")));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getAllByName(SECOND)[0], 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        start(server);
        open.add(() -> server.stop(0));
        return server.getAddress().getPort();
    }

    private Path certificate(String name) throws Exception {
        Path file = folder.resolve(name + ".crt");
        Process process = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-days",
                        "2",
                        "-subj",
                        "/CN=server",
                        "-addext",
                        "subjectAltName=DNS:" + name,
                        "-keyout",
                        folder.resolve(name + ".key").toString(),
                        "-out",
                        file.toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return file;
    }
}
