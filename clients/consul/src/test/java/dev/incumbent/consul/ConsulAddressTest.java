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
        Files.writeString(file, "renewed since then\n");
        assertThat(byFile.token()).contains("renewed since then");
        assertThat(byQuery.token()).contains("in-the-uri");
        assertThat(byQuery.toString()).isEqualTo("Consul at http://h:8500");
        assertThat(byQuery.uri()).isEqualTo("consul://h:8500/p");
    }

    @Test
    void aTokenInAVariableIsTakenWithoutTheWhiteSpaceAroundItAndOneThatNoHeaderCarriesIsNotTold() {
        assertThat(ConsulAddress.of("consul://h/p", "coordinator", Map.of("CONSUL_HTTP_TOKEN", "token\n"))
                        .token())
                .contains("token");
        assertThatThrownBy(() -> ConsulAddress.of("consul://h/p", "sink", Map.of("CONSUL_HTTP_TOKEN", "hid\nden")))
                .isInstanceOf(ConsulException.class)
                .hasMessageContaining("CONSUL_HTTP_TOKEN holds more than one line")
                .hasMessageNotContainingAny("hid", "den");
        assertThatThrownBy(() -> ConsulAddress.of("consul://h/p?token=hid%0Aden", "sink", Map.of()))
                .hasMessageContaining("its token holds more than one line")
                .hasMessageNotContainingAny("hid", "den");
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
    void tlsIsNeverLeftOutBecauseOfAWordThatIsNotUnderstood() {
        for (String yes : List.of("1", "t", "T", "true", "TRUE", "True")) {
            assertThat(schemeOf("consul://h", Map.of("CONSUL_HTTP_SSL", yes))).isEqualTo("https");
        }
        for (String no : List.of("0", "f", "F", "false", "FALSE", "False", "")) {
            assertThat(schemeOf("consul://h", Map.of("CONSUL_HTTP_SSL", no))).isEqualTo("http");
        }
        assertThat(schemeOf("consul://h?ca-file=/ca", Map.of())).isEqualTo("https");
        assertThat(schemeOf("consul://h?ca-file=/ca", Map.of("CONSUL_HTTP_SSL", "false")))
                .isEqualTo("https");
        assertThat(schemeOf("consul://h?tls=false", Map.of("CONSUL_HTTP_SSL", "true")))
                .isEqualTo("http");
        assertThat(schemeOf("consul://h", Map.of("CONSUL_CACERT", "/ca")))
                .as("as for Consul's own client")
                .isEqualTo("http");
        assertThatThrownBy(() -> schemeOf("consul://h", Map.of("CONSUL_HTTP_SSL", "yes")))
                .hasMessageContaining("CONSUL_HTTP_SSL is true or false, and not 'yes'");
    }

    private static String schemeOf(String uri, Map<String, String> environment) {
        return ConsulAddress.of(uri, "sink", environment).base().getScheme();
    }

    @Test
    void whatTheUriSaysGoesBeforeTheEnvironment(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), "from-a-file");
        Map<String, String> variables = Map.of(
                "CONSUL_HTTP_TOKEN", "other", "CONSUL_CACERT", "/other", "CONSUL_HTTP_TOKEN_FILE", "/no/such/file");

        ConsulAddress address = ConsulAddress.of(
                "consul://[::1]:9/a/b/?ca-file=/ca&session-ttl-min-ms=1500&token-file=" + file, "sink", variables);

        assertThat(address.token()).contains("from-a-file");
        assertThat(address.authority()).contains(Path.of("/ca"));
        assertThat(address.shortestSession()).hasMillis(1500);
        assertThat(address.base()).hasToString("https://[::1]:9");
        assertThat(address.prefix()).isEqualTo("a/b");
        assertThat(ConsulAddress.of("consul://h", "sink", variables).token()).contains("other");
        assertThat(ConsulAddress.of("consul://h", "sink", variables).authority())
                .contains(Path.of("/other"));
        assertThat(ConsulAddress.of("consul://h", "sink", variables).shortestSession())
                .hasSeconds(10);
        assertThat(ConsulAddress.of("consul://h", "sink", Map.of("CONSUL_HTTP_TOKEN_FILE", file.toString()))
                        .token())
                .contains("from-a-file");
    }

    @Test
    void aMalformedOneIsRefusedInASentenceThatSaysOfWhat() {
        for (String uri : List.of(
                "consul:///p",
                "consul://h,h2/p",
                "etcd://h/p",
                "consul://h_1/p",
                "consul://me:secret@h/p",
                "consul://secret@h/p",
                "consul://h:8500/a b?token=secret",
                "consul://h/p?tokn=secret",
                "consul://h/p?token=secret&token-file=/x",
                "consul://h/p?tls=True",
                "consul://h/p?tls=false&ca-file=/ca",
                "consul://h/p?session-ttl-min-ms=1s",
                "consul://h/p?token-file=/no/such/file")) {
            assertThatThrownBy(() -> ConsulAddress.of(uri, "sink", Map.of()))
                    .as(uri)
                    .isInstanceOf(ConsulException.class)
                    .message()
                    .satisfiesAnyOf(
                            said -> assertThat(said)
                                    .startsWith("the sink ")
                                    .endsWith("; write consul://host:port/prefix"),
                            said -> assertThat(said).startsWith("Consul's token file /no/such/file cannot be read"))
                    .doesNotContain("secret");
            assertThatThrownBy(() -> ConsulAddress.of(uri, "sink", Map.of()))
                    .matches(failure -> ((ConsulException) failure).isUnusable());
        }
    }
}
