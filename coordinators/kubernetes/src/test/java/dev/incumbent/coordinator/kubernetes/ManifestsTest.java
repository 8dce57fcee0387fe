package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.KubeApiServer;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The manifests of {@code examples}, as they stand there, at a real API server. That server drops what it does not know, so all is compared with what it gives back. */
class ManifestsTest {
    private static final String NAMESPACE = "manifests";
    private static final String SIDECAR = "agent/sidecar.yaml";
    private static final String QUORUM = "quorum/statefulset.yaml";

    /** Where each kind is created. */
    private static final Map<String, String> PATHS = Map.of(
            "Service", "/api/v1/namespaces/" + NAMESPACE + "/services",
            "Deployment", "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments",
            "StatefulSet", "/apis/apps/v1/namespaces/" + NAMESPACE + "/statefulsets",
            "PodDisruptionBudget", "/apis/policy/v1beta1/namespaces/" + NAMESPACE + "/poddisruptionbudgets");

    private final KubernetesSerialization serialization = new KubernetesSerialization();

    @BeforeAll
    static void createNamespace() {
        SharedServer.get().createNamespace(NAMESPACE);
    }

    @ParameterizedTest
    @CsvSource({SIDECAR + ", Deployment", QUORUM + ", Service PodDisruptionBudget StatefulSet"})
    void theApiServerAcceptsItAndKnowsEveryField(String file, String kinds) throws IOException {
        List<String> manifests = manifests(file);

        assertThat(manifests).extracting(this::kind).containsExactly(kinds.split(" "));
        assertThat(manifests)
                .allSatisfy(manifest -> assertThat(lostOf(manifest)).isEmpty());
    }

    @Test
    void aFieldThatIsMisspeltWouldBeFound() throws IOException {
        String sidecar = manifests(SIDECAR).get(0).replace("readinessProbe:", "readynessProbe:");
        String quorum = manifests(QUORUM).get(2).replace("podManagementPolicy:", "podManagementPolice:");

        assertThat(lostOf(sidecar)).containsExactly("/spec/template/spec/containers/1/readynessProbe");
        assertThat(lostOf(quorum)).containsExactly("/spec/podManagementPolice");
    }

    /** Without these two, the first node waits for others that are not started, or that it cannot find. */
    @Test
    void theNodesOfTheQuorumStartAtOnceAndFindEachOtherBeforeTheyAreReady() throws IOException {
        List<String> manifests = manifests(QUORUM);

        assertThat(created(manifests.get(0))).contains("\"publishNotReadyAddresses\":true", "\"clusterIP\":\"None\"");
        assertThat(created(manifests.get(2)))
                .contains("\"podManagementPolicy\":\"Parallel\"", "\"serviceName\":\"quorum\"", "\"replicas\":3");
    }

    /** The paths of all that the server did not give back as it was sent. */
    private List<String> lostOf(String manifest) {
        List<String> lost = new ArrayList<>();
        compare("", tree(manifest), tree(created(manifest)), lost);
        return lost;
    }

    /** What the server answers that it would create. */
    private String created(String manifest) {
        String path = Optional.ofNullable(PATHS.get(kind(manifest))).orElseThrow();
        KubeApiServer.Reply reply = SharedServer.get().ask("POST", path + "?dryRun=All", "application/yaml", manifest);
        assertThat(reply.code()).as(reply.body()).isEqualTo(201);
        return reply.body();
    }

    private String kind(String manifest) {
        return String.valueOf(((Map<?, ?>) tree(manifest)).get("kind"));
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

    /** Those of a file, from the folder of the repository or of this module. Disruption budgets have the same fields in policy/v1, which 1.21 brought. */
    private static List<String> manifests(String file) throws IOException {
        Path path = Path.of("examples").resolve(file);
        String all =
                Files.readString(Files.exists(path) ? path : Path.of("..", "..").resolve(path));
        return Arrays.stream(all.split("(?m)^---$"))
                .map(manifest -> manifest.replace("apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n"))
                .toList();
    }
}
