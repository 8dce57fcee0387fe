package dev.incumbent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.agent.elections.Prefix;
import dev.incumbent.model.ElectionName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a token gives, and whom the agent trusts. */
class RightsTest {
    private static final String TOKEN = "a-token-of-some-length";

    @TempDir
    Path folder;

    private static Grant grant(String prefix, Right right) {
        return new Grant(Prefix.ifLegal(prefix), right);
    }

    @Test
    void aTokenGivesWhatEachOfItsLinesGives() throws IOException {
        Rights rights = rights("# comment", "", TOKEN + " billing/ campaign", "  " + TOKEN + "\tshop   read ");

        assertThat(rights.grants("Bearer " + TOKEN))
                .containsExactly(grant("billing/", Right.CAMPAIGN), grant("shop", Right.READ));
        for (String other : List.of("", TOKEN, "bearer " + TOKEN, "Bearer " + TOKEN + "x", "Bearer " + TOKEN + " ")) {
            assertThat(rights.grants(other)).as(other).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "*, billing/closer, true",
        "billing/, billing/closer, true",
        "billing/, billing/a/b, true",
        "billing/, billing, false",
        "billing/, billings, false",
        "billing/, billings/closer, false",
        "billing, billing, true",
        "billing, billing/closer, false",
        "billing, billings, false"
    })
    void aPrefixCoversWhatLiesBeneathItAndNothingElse(String prefix, String election, boolean covers) {
        assertThat(grant(prefix, Right.CAMPAIGN).allows(new ElectionName(election), Right.READ))
                .isEqualTo(covers);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a-token-of-some-length billing/ | has 2 words",
                "a-token-of-some-length billing/ read more | has 4 words",
                "a-token-of-some-length billing/ write | ends in none of read, campaign, watchdog and operate",
                "15-characters-x billing/ read | fewer than 16 characters",
                "user: billing/ read | names no user behind user:",
                "a-token-of-some-length /billing read | a prefix that is no election's name",
                "a-token-of-some-length billing// read | a prefix that is no election's name",
                "a-token-of-some-length bil* read | a prefix that is no election's name"
            })
    void aLineThatIsWrittenOtherwiseIsRefusedAndNoTokenIsRepeated(String line, String why) {
        assertThatThrownBy(() -> rights("# the first line", line))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2 of the file of rights")
                .hasMessageContaining(why)
                .extracting(Throwable::getMessage)
                .asString()
                .doesNotContain("a-token", "15-char");
    }

    @Test
    void whoHasARightHasTheSmallerOnes() {
        ElectionName shop = new ElectionName("shop");
        for (Right right : Right.values()) {
            for (Right needed : Right.values()) {
                assertThat(grant("shop", right).allows(shop, needed))
                        .as(right + " for " + needed)
                        .isEqualTo(needed.compareTo(right) <= 0);
            }
        }
        assertThat(List.of(Right.values())).containsExactly(Right.READ, Right.CAMPAIGN, Right.WATCHDOG, Right.OPERATE);
    }

    @Test
    void aUsersLineIsNoTokenAndATokenIsNoUser() throws IOException {
        Rights rights = rights("user:ann billing/ operate", "user:ann shop read", TOKEN + " * read");

        assertThat(rights.grantsOf("ann")).containsExactly(grant("billing/", Right.OPERATE), grant("shop", Right.READ));
        assertThat(rights.grantsOf("bob")).isEmpty();
        assertThat(rights.grantsOf("")).isEmpty();
        for (String shown : List.of("Bearer user:ann", "Bearer ann", "Bearer ")) {
            assertThat(rights.grants(shown)).as(shown).isEmpty();
        }
        assertThat(rights.nameUsers()).isTrue();
        assertThat(rights(TOKEN + " * read").nameUsers()).isFalse();
    }

    @Test
    void aFileHoldsOneTokenAtLeastAndAThousandAtMost() throws IOException {
        String[] most = new String[1_000];
        Arrays.setAll(most, i -> TOKEN + i + " * read");
        String[] more = new String[1_001];
        Arrays.setAll(more, i -> TOKEN + i + " * read");

        assertThat(rights(most).grants("Bearer " + TOKEN + "999")).hasSize(1);
        assertThatThrownBy(() -> rights(more)).hasMessageContaining("has 1001 lines");
        assertThatThrownBy(() -> rights("# none")).hasMessageContaining("has 0 lines");
    }

    @Test
    void theAgentTrustsItsOwnUserAndRoot() {
        assertThat(Peer.isTrusted("agent", "agent")).isTrue();
        assertThat(Peer.isTrusted("root", "agent")).isTrue();
        assertThat(Peer.isTrusted("nobody", "agent")).isFalse();
    }

    private Rights rights(String... lines) throws IOException {
        return Rights.of(Files.writeString(folder.resolve("tokens"), String.join("\n", lines) + "\n"), said -> {});
    }
}
