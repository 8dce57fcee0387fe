package dev.incumbent.coordinator.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.ClassPath;
import dev.incumbent.servers.KubeApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Within a pod nothing is to be named: server, namespace and token are the pod's. Its files lie in a folder of ours, of which system properties tell the client. */
class InPodTest {
    private static final int TRIES = 100;

    private final KubeRig rig = new KubeRig(SharedServer.get(), Duration.ofSeconds(20));

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void thePodsServerNamespaceAndTokenServeAndTheTokenIsReadAgainWhenItIsRenewed() throws IOException {
        write("namespace", rig.namespace());
        Path token = write("token", "one-that-ran-out");
        Process pod = pod(token);

        try (OutputStream asks = pod.getOutputStream();
                BufferedReader answers = pod.inputReader(StandardCharsets.UTF_8)) {
            assertThat(asked(asks, answers)).contains("does not accept the credentials");

            write("token", KubeApiServer.ADMIN);

            String answer = asked(asks, answers);
            for (int i = 0; i < TRIES && !answer.startsWith("granted "); i++) {
                answer = asked(asks, answers);
            }
            String lease = rig.path(answer.replaceFirst("granted ", ""));
            assertThat(rig.server().ask("GET", lease, "", "").code()).isEqualTo(200);
        } finally {
            pod.destroy();
        }
    }

    private Process pod(Path token) throws IOException {
        ProcessBuilder pod = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Duser.home=" + folder,
                        "-Dkubernetes.auth.serviceAccount.token=" + token,
                        "-Dkubernetes.certs.ca.file=" + rig.server().certificate(),
                        "-Dkubenamespace=" + folder.resolve("namespace"),
                        "-cp",
                        ClassPath.text(),
                        GrantingInPod.class.getName())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        pod.environment().remove("KUBECONFIG");
        pod.environment().put("KUBERNETES_SERVICE_HOST", "127.0.0.1");
        pod.environment()
                .put("KUBERNETES_SERVICE_PORT", Integer.toString(rig.server().port()));
        return pod.start();
    }

    private Path write(String name, String text) throws IOException {
        Path fresh = Files.writeString(folder.resolve(name + "-fresh"), text);
        return Files.move(fresh, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    }

    private static String asked(OutputStream asks, BufferedReader answers) throws IOException {
        asks.write('\n');
        asks.flush();
        return String.valueOf(answers.readLine());
    }
}
