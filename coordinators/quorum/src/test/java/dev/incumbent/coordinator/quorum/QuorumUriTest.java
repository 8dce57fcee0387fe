package dev.incumbent.coordinator.quorum;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a URI of a quorum says, and what the environment adds. */
class QuorumUriTest {
    @Test
    void namesNodesInTheirOrder() {
        QuorumUri uri = parsed("quorum://h1:1,h2,[::1]:3");

        assertThat(uri.nodes())
                .containsExactly(new Nodes.Node("h1", 1), new Nodes.Node("h2", 7400), new Nodes.Node("::1", 3));
        assertThat(uri.label()).isEqualTo("quorum://h1:1,h2,[::1]:3");
        assertThat(uri.access()).hasToString("without a token");
    }

    @Test
    void theTokenIsTakenFromItsFileBeforeTheEnvironment(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("token"), " from-a-file\n");

        QuorumUri byFile = QuorumUri.of("quorum://h?token-file=" + file, name -> Optional.of("other"));
        QuorumUri byVariable = QuorumUri.of(
                "quorum://h",
                name -> name.equals("INCUMBENT_QUORUM_TOKEN") ? Optional.of("from-there\n") : Optional.empty());

        assertThat(byFile.access().authorization()).contains("Bearer from-a-file");
        Files.writeString(file, "renewed since then\n");
        assertThat(byFile.access().authorization()).contains("Bearer renewed since then");
        assertThat(byVariable.access().authorization()).contains("Bearer from-there");
    }

    @Test
    void tlsIsWhatItSays() {
        assertThat(parsed("quorum://h?tls=true").access()).hasToString("without a token, over TLS");
        assertThat(parsed("quorum://h?tls=false").access()).hasToString("without a token");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "quorum://, '' is no HOST:PORT",
                "\"quorum://h,,h2\", '' is no HOST:PORT",
                "quorum://h:0, 'h:0' is no HOST:PORT",
                "quorum://h/p, a quorum has no path",
                "quorum://me:SeCrEt@h, a quorum knows no users",
                "quorum://SeCrEt@h, a quorum knows no users",
                "quorum://h?tls, after the '?' stand parameters",
                "quorum://h?tls=yes, the parameter tls is true or false",
                "quorum://h?tls=false&tls-ca=/ca, \"it names an authority, and tls=false\"",
                "quorum://h?token=SeCrEt, \"'token' is unknown; known are token-file, tls-ca, tls\""
            })
    void whatIsNotUnderstoodIsRefused(String uri, String why) {
        assertThatThrownBy(() -> parsed(uri))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(why)
                .hasMessageEndingWith("; write quorum://HOST:PORT,HOST:PORT,HOST:PORT")
                .hasMessageNotContaining("SeCrEt");
    }

    @Test
    void filesThatCannotBeReadAreNamed() {
        assertThatThrownBy(() -> parsed("quorum://h?token-file=/no/such"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("/no/such");
        assertThatThrownBy(() -> parsed("quorum://h?tls-ca=/no/such"))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("/no/such");
    }

    private static QuorumUri parsed(String uri) {
        return QuorumUri.of(uri, name -> Optional.empty());
    }
}
