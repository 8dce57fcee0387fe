package dev.incumbent.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.wire.UriException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** URIs of ensembles. */
final class ZooKeeperUriTest {
    @Test
    void aUriNamesServersAndANode() {
        ZooKeeperUri address = parse("zk://h1:2181,h2,[::1]:2183/apps/billing/");

        assertThat(address.servers()).isEqualTo("h1:2181,h2:2181,[::1]:2183");
        assertThat(address.root()).isEqualTo("/apps/billing");
        assertThat(address.digest()).isEmpty();
        assertThat(parse("zookeeper://h").root()).isEqualTo("/incumbent");
    }

    @Test
    void thePasswordIsTakenFromTheUriOrTheEnvironmentAndNeverShown() {
        ZooKeeperUri inUri = parse("zk://h/x?user=ada&password=s%26cret");
        ZooKeeperUri inEnvironment =
                ZooKeeperUri.parse("zk://h/x?user=ada", Map.of("INCUMBENT_ZOOKEEPER_PASSWORD", "s&cret"));

        assertThat(inUri).isEqualTo(inEnvironment);
        assertThat(inUri.digest().orElseThrow().auth()).asString().isEqualTo("ada:s&cret");
        assertThat(inUri + " " + inUri.digest() + " " + inUri.asWhom()).doesNotContain("cret");
        assertThat(inUri.asWhom()).isEqualTo("as user ada");
        assertThat(parse("zk://h").asWhom()).isEqualTo("without a user");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "zk:h",
                "zk://",
                "zk://h:2181,,h2",
                "zk://h:port/x",
                "zk://ada:secret@h/x",
                "zk://h/a//b",
                "zk://h/a/../b",
                "zk://h/./b",
                "zk://h/a%00b",
                "zk://h/a%C2%80",
                "zk://h/a%EF%BF%BF",
                "zk://h/zookeeper",
                "redis://h/x",
                "zk://h/zookeeper/x",
                "zk://h/x?tick=2s",
                "zk://h/x?tls=true",
                "zk://h/x?password=secret",
                "zk://h/x?user=ada"
            })
    void aBadUriIsRefusedInOneSentenceThatShowsItWithoutSecrets(String uri) {
        assertThatThrownBy(() -> parse(uri))
                .isInstanceOf(UriException.class)
                .hasMessageMatching("(?s).*(zk:|redis:).*")
                .hasMessageNotContainingAny("secret", "\n");
    }

    private static ZooKeeperUri parse(String uri) {
        return ZooKeeperUri.parse(uri, Map.of());
    }
}
