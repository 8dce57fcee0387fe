package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.KubeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bad input and trouble at the server: each is one sentence that names what and where. */
@Tag("patient")
class OpeningTest {
    private static final Set<ElectionName> ONE = Set.of(new ElectionName("billing"));

    private final KubeRig rig = new KubeRig(SharedServer.get(), Duration.ofSeconds(20));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aUriThatIsNotUnderstoodIsRefused() {
        assertRefused("kubernetes://host/namespace", "names no host");
        assertRefused("kubernetes:namespace", "is no URI such as");
        assertRefused("kubernetes:///Name_Space", "'Name_Space' is no namespace");
        assertRefused("kubernetes:///a/b", "'a/b' is no namespace");
        assertRefused("kubernetes:///a?contxt=b", "parameter 'contxt'");
        assertRefused("kubernetes:///a b", "'a b' is no namespace");
        assertRefused("kubernetes:///a?kubeconfig=/nonexistent", "/nonexistent cannot be read");
        assertRefused("kubernetes:///a?kubeconfig=" + rig.kubeconfig("]["), "is not understood");
    }

    @Test
    void aSecretInAUriThatIsRefusedIsNotTold() {
        for (String uri : List.of(
                "kubernetes://ada:hush@host/offices",
                "kubernetes:///offices?token=hush",
                "kubernetes:///offices?context=a b&token=hush")) {
            assertThatThrownBy(() -> rig.open(uri, Mode.CREATE))
                    .as(uri)
                    .isInstanceOf(CoordinatorUnusableException.class)
                    .hasMessageContaining("offices")
                    .hasMessageNotContaining("hush");
        }
    }

    @Test
    void aCertificateThatIsNotThereIsNamed() {
        String text = rig.server().kubeconfig(1, KubeApiServer.ADMIN, "default").replace("apiserver.crt", "gone.crt");

        assertRefused("kubernetes:///a?kubeconfig=" + rig.kubeconfig(text), "gone.crt");
    }

    @Test
    void aContextThatIsNotThereIsNamed() {
        assertRefused(rig.uri(1, KubeApiServer.ADMIN) + "&context=nope", "no context nope");
    }

    @Test
    void theNamespaceOfTheContextIsTakenWhereTheUriNamesNone() {
        String text = rig.server().kubeconfig(rig.server().port(), KubeApiServer.ADMIN, rig.namespace());
        Coordinator client = rig.open("kubernetes:///?context=x&kubeconfig=" + rig.kubeconfig(text), Mode.CREATE);

        client.grant(new CandidateId("ada"), Duration.ofSeconds(5))
                .toCompletableFuture()
                .join();

        assertThat(rig.server().ask("GET", rig.path(""), "", "").body()).contains("\"holderIdentity\":\"ada\"");
        client.close();
    }

    @Test
    void aServerThatIsNotThereIsNamed() {
        int port = FreePorts.one();

        CoordinatorException failure =
                failure(open(rig.uri(port, KubeApiServer.ADMIN)).read(ONE));

        assertThat(failure).hasMessage("the API server at https://127.0.0.1:" + port + " cannot be reached");
    }

    @Test
    void aHostThatNobodyKnowsIsNamed() {
        String text =
                rig.server().kubeconfig(1, KubeApiServer.ADMIN, "default").replace("127.0.0.1", "nowhere.invalid");

        CoordinatorException failure = failure(
                open("kubernetes:///a?kubeconfig=" + rig.kubeconfig(text)).read(ONE));

        assertThat(failure).hasMessage("the host of the API server at https://nowhere.invalid:1 is not known");
    }

    @Test
    void wrongCredentialsAreTold() {
        CoordinatorException failure =
                failure(open(rig.uri(rig.server().port(), "wrong-token")).read(ONE));

        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("does not accept the credentials")
                .hasMessageNotContaining("wrong-token");
    }

    @Test
    void aServerThatTheKubeconfigDoesNotTrustIsTold() {
        String text = rig.server()
                .kubeconfig(rig.server().port(), KubeApiServer.ADMIN, "default")
                .replaceFirst(", certificate-authority: '[^']*'", "");

        CoordinatorException failure = failure(
                open("kubernetes:///a?kubeconfig=" + rig.kubeconfig(text)).read(ONE));

        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("do not trust each other");
    }

    @Test
    void aNamespaceThatIsNotThereIsNamedByTheFirstWrite() {
        String uri = rig.uri(rig.server().port(), KubeApiServer.ADMIN).replace(rig.namespace(), "nope");

        CoordinatorException failure = failure(open(uri).grant(new CandidateId("ada"), Duration.ofSeconds(5)));

        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("in the namespace nope: namespaces \"nope\" not found");
    }

    @Test
    void missingRightsAreTold() {
        CoordinatorException failure = failure(
                open(rig.uri(rig.server().port(), KubeApiServer.ELECTOR)).read(ONE));

        assertThat(failure)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(
                        "forbids it: leases.coordination.k8s.io \"billing\" is forbidden: User \"elector\" cannot get");
    }

    @Test
    void whoOpensToReadWritesNothing() {
        Coordinator reader = rig.connect(KubeApiServer.ADMIN, Mode.READ_ONLY);

        CoordinatorException failure = failure(reader.grant(new CandidateId("ada"), Duration.ofSeconds(5)));

        assertThat(failure).isInstanceOf(CoordinatorUnusableException.class).hasMessageContaining("read only");
    }

    private Coordinator open(String uri) {
        return rig.remembered(rig.open(uri, Mode.CREATE));
    }

    private void assertRefused(String uri, String why) {
        assertThatThrownBy(() -> rig.open(uri, Mode.CREATE))
                .as(uri)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why);
    }

    static CoordinatorException failure(CompletionStage<?> call) {
        try {
            throw new AssertionError("expected no answer, and it was "
                    + call.toCompletableFuture().join());
        } catch (CompletionException e) {
            if (e.getCause() instanceof CoordinatorException known) {
                return known;
            }
            throw e;
        }
    }
}
