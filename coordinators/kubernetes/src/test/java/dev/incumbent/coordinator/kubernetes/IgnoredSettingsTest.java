package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("field")
class IgnoredSettingsTest {
    private final SystemTimeline timeline = new SystemTimeline();

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        timeline.close();
    }

    @Test
    void aTokenFileIsRefusedByItsName() {
        assertThatThrownBy(() -> open("tokenFile: /run/token", "server: 'https://127.0.0.1:1'"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage(
                        "the kubeconfig's user u has a tokenFile, /run/token, which is not supported: name a token, a"
                                + " client certificate or a credential plugin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"as: admin", "as-uid: '7'", "as-groups: [system:masters]", "as-user-extra: {scopes: [all]}"})
    void whoeverIsToActAsAnotherIsRefused(String setting) {
        assertThatThrownBy(() -> open("token: t, " + setting, "server: 'https://127.0.0.1:1'"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage("the kubeconfig's user u acts as another (as, as-uid, as-groups, as-user-extra), which is"
                        + " not supported: name the credentials of the one who is to act");
    }

    @Test
    void aServerNameForTlsIsRefusedByItsName() {
        assertThatThrownBy(() -> open("token: t", "server: 'https://127.0.0.1:1', tls-server-name: api.internal"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage(
                        "the kubeconfig's cluster c has a tls-server-name, api.internal, which is not supported: name"
                                + " its server by a host that its certificate has");
    }

    @Test
    void ofOtherUsersAndClustersNothingIsAsked() {
        assertThatCode(() -> open("token: t", "server: 'https://127.0.0.1:1'")).doesNotThrowAnyException();
    }

    private void open(String user, String cluster) throws IOException {
        Path kubeconfig = Files.writeString(
                folder.resolve("config"),
                String.join(
                        "\n",
                        "apiVersion: v1",
                        "kind: Config",
                        "clusters:",
                        "- {name: c, cluster: {" + cluster + "}}",
                        "- {name: other, cluster: {server: 'https://127.0.0.1:1', tls-server-name: other.internal}}",
                        "users:",
                        "- {name: u, user: {" + user + "}}",
                        "- {name: other, user: {tokenFile: /run/other}}",
                        "contexts:",
                        "- {name: x, context: {cluster: c, user: u, namespace: ns}}",
                        "current-context: x",
                        ""));
        new KubernetesCoordinatorProvider()
                .open("kubernetes:///ns?kubeconfig=" + kubeconfig, timeline, Duration.ofSeconds(5), Mode.CREATE)
                .close();
    }
}
