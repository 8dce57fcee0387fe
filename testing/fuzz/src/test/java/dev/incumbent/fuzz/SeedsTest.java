package dev.incumbent.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** What is sent follows from what was asked for, and from nothing else. */
final class SeedsTest {
    private static final String COMMIT = "c370396f00000000000000000000000000000000";

    @Test
    void withoutACommitOneSeedIsFixed() {
        assertThat(Seeds.of("", "", 600)).isEqualTo(new Seeds(List.of(1L), 600));
    }

    @Test
    void theCommitIsASeedBesides() {
        assertThat(Seeds.of("", COMMIT, 600)).isEqualTo(new Seeds(List.of(1L, 0xc370396f0000L), 300));
    }

    @Test
    void aSeedThatIsNamedIsTheOnlyOne() {
        assertThat(Seeds.of("42", COMMIT, 600)).isEqualTo(new Seeds(List.of(42L), 600));
    }

    @Test
    void whoFailsTellsHowToSendThemAgain() {
        assertThat(Seeds.of("42", "", 600).replay(42)).isEqualTo("scripts/fuzz --seed 42 --requests 600");
    }
}
