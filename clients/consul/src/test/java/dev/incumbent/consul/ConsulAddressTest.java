package dev.incumbent.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a URI says, and what it lacks, without ever showing the token. */
final class ConsulAddressTest {
    @Test
    void theTokenIsTakenFromTheEnvironmentOrAFileAndShownNowhere(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "from-a-file\n");

        ConsulAddress byVariable =
                ConsulAddress.of("consul://h/p", "coordinator", Map.of("CONSUL_HTTP_TOKEN", "from-the-environment"));
        ConsulAddress byFile = ConsulAddress.of("consul://h/p?token-file=" + file, "coordinator", Map.of());
        ConsulAddress byQuery =
                ConsulAddress.of("consul://h/p?token=in-the-uri", "coordinator", Map.of("CONSUL_HTTP_TOKEN", "other"));

        assertThat(byVariable.token()).contains("from-the-environment");
        assertThat(byFile.token()).contains("from-a-file");
        assertThat(byQuery.token()).contains("in-the-uri");
        assertThat(byQuery.toString()).isEqualTo("Consul at http://h:8500");
        assertThat(byQuery.uri()).isEqualTo("consul://h:8500/p");
    }

    @Test
    void portAndSchemeFollowFromTls() {
        assertThat(ConsulAddress.of("consul://h", "sink", Map.of("CONSUL_HTTP_SSL", "true"))
                        .base())
                .hasToString("https://h:8501");
        assertThat(ConsulAddress.of("consul://h:1/p?tls=true", "sink", Map.of()).base())
                .hasToString("https://h:1");
    }

    @Test
    void aMalformedOneIsRefusedInASentenceThatSaysOfWhat() {
        for (String uri : List.of("consul:///p", "consul://h:8500/a b?token=secret", "consul://h/p?tokn=secret")) {
            assertThatThrownBy(() -> ConsulAddress.of(uri, "sink", Map.of()))
                    .as(uri)
                    .isInstanceOf(ConsulException.class)
                    .hasMessageContaining("sink")
                    .hasMessageNotContaining("secret")
                    .matches(failure -> ((ConsulException) failure).isUnusable());
        }
    }
}
