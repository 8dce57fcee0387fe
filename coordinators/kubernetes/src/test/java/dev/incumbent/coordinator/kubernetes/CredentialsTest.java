package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tokens of a credential plugin. It prints the token that its file holds, and hangs as long as there is a file {@code hang}. */
class CredentialsTest {
    private static final Ask ASK = Ask.get("/apis");
    private static final Answer OK = new Answer(200, "{}");
    private static final Answer REFUSED = new Answer(401, "{}");

    private final TemporaryFolder folder = TemporaryFolder.create("kube-credentials");
    private final ScriptedServer server = new ScriptedServer();
    private final AtomicLong nanos = new AtomicLong();

    @BeforeEach
    void plugin() throws IOException {
        token("t1");
        String script = String.join(
                "\n",
                "#!/bin/sh",
                "while [ -e " + file("hang") + " ]; do sleep 0.1; done",
                "printf '{\"apiVersion\":\"client.authentication.k8s.io/v1\",\"kind\":\"ExecCredential\",'",
                "printf '\"status\":{\"token\":\"%s\"}}' \"$(cat " + file("token") + ")\"",
                "");
        Path plugin = Files.writeString(file("plugin"), script);
        Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(
                file("config"),
                String.join(
                        "\n",
                        "apiVersion: v1",
                        "kind: Config",
                        "clusters: [{name: c, cluster: {server: '" + server.url() + "'}}]",
                        "contexts: [{name: x, context: {cluster: c, user: u, namespace: ns}}]",
                        "current-context: x",
                        "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: '"
                                + plugin + "', interactiveMode: Never}}}]",
                        ""));
    }

    @AfterEach
    void close() throws IOException {
        Files.deleteIfExists(file("hang"));
        server.close();
        folder.close();
    }

    @Test
    void aPluginThatHangsWhenItsTokenIsRenewedStopsNoCall() throws IOException {
        server.answers(ask -> OK);
        try (Transport transport = open()) {
            Files.createFile(file("hang"));

            for (int i = 0; i < 5; i++) {
                nanos.addAndGet(TimeUnit.MINUTES.toNanos(1));
                assertThat(send(transport).join()).isEqualTo(OK);
            }

            assertThat(server.shown()).hasSize(5).containsOnly("Bearer t1");
        }
    }

    @Test
    void aPluginThatHangsAfterRefusalsStopsNoOtherCall() throws IOException {
        server.answers(ask -> server.asked().size() <= 4 ? REFUSED : OK);
        try (Transport transport = open()) {
            Files.createFile(file("hang"));
            List<CompletableFuture<Answer>> refused =
                    Stream.generate(() -> send(transport)).limit(4).toList();

            assertThat(refused).allSatisfy(one -> assertThat(one.join().code()).isEqualTo(401));

            nanos.addAndGet(TimeUnit.SECONDS.toNanos(35));
            assertThat(send(transport).join()).isEqualTo(OK);
            assertThat(server.shown()).hasSize(5).containsOnly("Bearer t1");
            assertThat(transport.credentialsTrouble())
                    .isEqualTo("; whoever gives new ones (a credential plugin?) has not answered for 35 s");
        }
    }

    @Test
    void aTokenThatIsRefusedIsHadAnewAndTheRequestSentAgain() throws IOException {
        server.answers(ask -> server.shown().size() == 1 ? REFUSED : OK);
        try (Transport transport = open()) {
            token("t2");

            assertThat(send(transport).join()).isEqualTo(OK);

            assertThat(send(transport).join()).isEqualTo(OK);
            assertThat(server.shown()).containsExactly("Bearer t1", "Bearer t2", "Bearer t2");
            assertThat(transport.credentialsTrouble()).isEmpty();
        }
    }

    @Test
    void aPluginThatHangsAtTheOpeningIsToldInTime() throws IOException {
        Files.createFile(file("hang"));
        String uri = "kubernetes:///ns?kubeconfig=" + file("config");
        try (SystemTimeline timeline = new SystemTimeline()) {
            KubernetesCoordinatorProvider provider = new KubernetesCoordinatorProvider(Duration.ofSeconds(1));

            assertThatThrownBy(() -> provider.open(uri, timeline, Duration.ofSeconds(20), Mode.CREATE))
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessage(
                            "the coordinator " + uri + " cannot be opened: the kubeconfig's credentials did not come"
                                    + " within 1 s; does its credential plugin hang?");
        }
    }

    /** Whoever opens it by its URI: the test above need not wait as long. */
    @Test
    void aPluginThatHangsAtTheOpeningHasThirtySeconds() {
        assertThat(new KubernetesCoordinatorProvider().longestReading()).isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void aTokenIsHadAnewEveryMinute() throws IOException {
        server.answers(ask -> OK);
        try (Transport transport = open()) {
            token("t2");
            nanos.set(TimeUnit.SECONDS.toNanos(60));

            await(transport, "Bearer t2");

            assertThat(server.shown()).startsWith("Bearer t1").contains("Bearer t2");
        }
    }

    private void await(Transport transport, String shown) {
        for (int tries = 0; tries < 10_000 && !server.shown().contains(shown); tries++) {
            assertThat(send(transport).join()).isEqualTo(OK);
        }
    }

    private Transport open() {
        Config config = Config.fromKubeconfig(null, file("config").toFile());
        config.setRequestRetryBackoffLimit(0);
        config.setRequestTimeout(3_000);
        return Transport.open(config, nanos::get);
    }

    private static CompletableFuture<Answer> send(Transport transport) {
        return transport.send(ASK, TimeUnit.SECONDS.toNanos(20)).orTimeout(20, TimeUnit.SECONDS);
    }

    private void token(String token) throws IOException {
        Files.writeString(file("token"), token);
    }

    private Path file(String name) {
        return folder.resolve(name);
    }
}
