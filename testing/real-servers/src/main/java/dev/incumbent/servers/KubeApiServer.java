package dev.incumbent.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A real Kubernetes API server with an etcd beside it, over TLS, with rights by RBAC. {@code scripts/build-kube-apiserver} builds it. Starts in some seconds,
 * takes 350 MB. Not thread-safe, but for {@link #ask}.
 */
public final class KubeApiServer implements AutoCloseable {
    /** The token of one who may do everything. */
    public static final String ADMIN = "token-of-an-admin";

    /** The token of the user {@code elector}, who may do what roles bound to it allow. */
    public static final String ELECTOR = "token-of-an-elector";

    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(20);

    private final TemporaryFolder folder = TemporaryFolder.create("kube");
    private final int port = FreePorts.one();
    private final EtcdServer etcd;
    private final ServerProcess process;
    private volatile Optional<HttpClient> client = Optional.empty();

    /** What it answered: its code and its body. */
    public record Reply(int code, String body) {}

    private KubeApiServer(EtcdServer etcd, List<Path> certificate, List<String> options) {
        this.etcd = etcd;
        try {
            for (Path file : certificate) {
                Files.copy(file, folder.resolve(file.getFileName().toString()));
            }
            Files.writeString(
                    folder.resolve("tokens.csv"), ADMIN + ",admin,1,system:masters\n" + ELECTOR + ",elector,2\n");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Command.run(
                List.of("openssl", "genrsa", "-out", folder.resolve("sa.key").toString(), "2048"), Map.of());
        List<String> line = new ArrayList<>(command());
        line.addAll(options);
        process = ServerProcess.start("kube-apiserver", line, Map.of(), folder.path(), this::isReady);
    }

    /** Starts both, etcd with these options more, and waits until the API is served. */
    public static KubeApiServer start(String... optionsOfEtcd) {
        return new KubeApiServer(EtcdServer.start(optionsOfEtcd), List.of(), List.of());
    }

    /** Starts both; whoever shows a certificate of that authority is whom it names: its CN is the user, each O a group. */
    public static KubeApiServer startTrusting(ClientAuthority authority) {
        return new KubeApiServer(EtcdServer.start(), List.of(), List.of("--client-ca-file=" + authority.certificate()));
    }

    /** Starts others, with the same certificate, on what {@link #backUp} saved. */
    public KubeApiServer restored(Path snapshot) {
        List<Integer> ports = FreePorts.some(2);
        return new KubeApiServer(
                EtcdServer.restored(snapshot, ports.get(0), ports.get(1)),
                List.of(certificate(), folder.resolve("apiserver.key")),
                List.of());
    }

    /** Whether {@code scripts/build-kube-apiserver} has built one on this machine. */
    public static boolean isBuilt() {
        return Files.isExecutable(Programs.cached("kube-apiserver"));
    }

    /** Where {@code scripts/build-kube-apiserver} keeps what it built. */
    public static Path built(String program) {
        Path path = Programs.cached(program);
        if (!Files.isExecutable(path)) {
            throw new IllegalStateException(path + " is missing: scripts/build-kube-apiserver builds it");
        }
        return path;
    }

    private List<String> command() {
        return List.of(
                built("kube-apiserver").toString(),
                "--etcd-servers=" + etcd.clientUrl(),
                "--bind-address=127.0.0.1",
                "--secure-port=" + port,
                "--cert-dir=" + folder.path(),
                "--token-auth-file=" + folder.resolve("tokens.csv"),
                "--authorization-mode=RBAC",
                "--service-account-issuer=https://local",
                "--service-account-signing-key-file=" + folder.resolve("sa.key"),
                "--service-account-key-file=" + folder.resolve("sa.key"),
                "--service-cluster-ip-range=10.0.0.0/24");
    }

    private boolean isReady() throws IOException, GeneralSecurityException {
        if (client.isEmpty()) {
            client = Optional.of(HttpClient.newBuilder()
                    .sslContext(trusting(certificate()))
                    .version(HttpClient.Version.HTTP_1_1)
                    .build());
        }
        Reply reply = ask("GET", "/readyz?verbose", "", "");
        if (reply.code() != 200) {
            throw new IllegalStateException(reply.toString());
        }
        return true;
    }

    public int port() {
        return port;
    }

    /** The certificate that it shows, and that a client has to trust. */
    public Path certificate() {
        return folder.resolve("apiserver.crt");
    }

    /** A kubeconfig file for a client that connects by that port, a wire's perhaps, with that token. */
    public String kubeconfig(int byPort, String token, String namespace) {
        return String.join(
                "\n",
                "apiVersion: v1",
                "kind: Config",
                "clusters:",
                "- {name: c, cluster: {server: 'https://127.0.0.1:" + byPort + "', certificate-authority: '"
                        + certificate() + "'}}",
                "users:",
                "- {name: u, user: {token: '" + token + "'}}",
                "contexts:",
                "- {name: x, context: {cluster: c, user: u, namespace: '" + namespace + "'}}",
                "current-context: x",
                "");
    }

    /** Asks as an admin, as kubectl would. */
    public Reply ask(String method, String path, String contentType, String body) {
        HttpRequest.BodyPublisher publisher =
                body.isEmpty() ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                .timeout(LONGEST_ANSWER)
                .header("Authorization", "Bearer " + ADMIN)
                .method(method, publisher);
        if (!contentType.isEmpty()) {
            request.header("Content-Type", contentType);
        }
        try {
            HttpResponse<String> answer =
                    client.orElseThrow().send(request.build(), HttpResponse.BodyHandlers.ofString());
            return new Reply(answer.statusCode(), answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Creates an object, and fails if that is refused. */
    public void create(String path, String json) {
        Reply reply = ask("POST", path, "application/json", json);
        if (reply.code() != 201) {
            throw new IllegalStateException(reply.toString());
        }
    }

    public void createNamespace(String name) {
        create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    /** Stops it where it stands; its etcd goes on. */
    public void freeze() {
        process.freeze();
    }

    public void thaw() {
        process.thaw();
    }

    /** Ends it at once; its etcd goes on. */
    public void kill() {
        process.kill();
    }

    /** Starts it again on what etcd has. */
    public void startAgain() {
        process.startAgain();
    }

    /** Its store, which can be frozen and killed too. */
    public EtcdServer etcd() {
        return etcd;
    }

    /** Saves what etcd has, by a snapshot, which lasts as long as this does. */
    public Path backUp() {
        Path snapshot = folder.resolve("snapshot-" + UUID.randomUUID());
        String unused = etcd.etcdctl("snapshot", "save", snapshot.toString());
        return snapshot;
    }

    private static SSLContext trusting(Path certificate) throws IOException, GeneralSecurityException {
        KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
        trusted.load(null, new char[0]);
        try (InputStream pem = Files.newInputStream(certificate)) {
            for (Certificate one : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                trusted.setCertificateEntry("c" + trusted.size(), one);
            }
        }
        if (trusted.size() == 0) {
            throw new IOException(certificate + " is not written yet");
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    @Override
    public void close() {
        process.close();
        etcd.close();
        folder.close();
    }
}
