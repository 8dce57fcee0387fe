package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.KubeApiServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The manifest of {@code docs/operating/sidecar.md}, as it stands there, at a real API server. That server drops what it does not know, so all is compared with what it gives back. */
class SidecarManifestTest {
    private static final Path MANIFEST = Path.of("examples/agent/sidecar.yaml");
    private static final String NAMESPACE = "sidecars";
    private static final String DEPLOYMENTS = "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments?dryRun=All";

    private final KubernetesSerialization serialization = new KubernetesSerialization();

    @BeforeAll
    static void createNamespace() {
        SharedServer.get().createNamespace(NAMESPACE);
    }

    @Test
    void theApiServerAcceptsItAndKnowsEveryField() throws IOException {
        String manifest = manifest();

        assertThat(lostOf(manifest)).isEmpty();
    }

    @Test
    void aFieldThatIsMisspeltWouldBeFound() throws IOException {
        String misspelt = manifest().replace("readinessProbe:", "readynessProbe:");

        assertThat(lostOf(misspelt)).containsExactly("/spec/template/spec/containers/1/readynessProbe");
    }

    /** The paths of all that the server did not give back as it was sent. */
    private List<String> lostOf(String manifest) {
        KubeApiServer.Reply reply = SharedServer.get().ask("POST", DEPLOYMENTS, "application/yaml", manifest);
        assertThat(reply.code()).as(reply.body()).isEqualTo(201);
        List<String> lost = new ArrayList<>();
        compare("", tree(manifest), tree(reply.body()), lost);
        return lost;
    }

    private Object tree(String text) {
        return serialization.unmarshal(text, Map.class);
    }

    private static void compare(String path, Object sent, Object got, List<String> lost) {
        if (sent instanceof Map<?, ?> fields && got instanceof Map<?, ?> others) {
            fields.forEach((name, value) -> {
                if (others.containsKey(name)) {
                    compare(path + "/" + name, value, others.get(name), lost);
                } else {
                    lost.add(path + "/" + name);
                }
            });
        } else if (sent instanceof List<?> list && got instanceof List<?> others && list.size() == others.size()) {
            for (int i = 0; i < list.size(); i++) {
                compare(path + "/" + i, list.get(i), others.get(i), lost);
            }
        } else if (!sent.equals(got)) {
            lost.add(path + ": " + sent + " became " + got);
        }
    }

    /** From the folder of the repository or of this module. */
    private static String manifest() throws IOException {
        return Files.readString(
                Files.exists(MANIFEST) ? MANIFEST : Path.of("..", "..").resolve(MANIFEST));
    }
}
