package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;

class RankMoveTest {
    private static final CandidateId ADA = new CandidateId("ada@h1-7-x");

    @Test
    void itKnowsItsSuccessorByAFingerprint() {
        RankMove move = RankMove.to(ADA, "9f3c");

        assertThat(move.isTo(ADA)).isTrue();
        assertThat(move.isTo(new CandidateId("ada@h1-8-x"))).isFalse();
        assertThat(move.lasted()).isFalse();
        assertThat(move.havingLasted()).isEqualTo(new RankMove("9f3c", move.to(), true, Map.of()));
    }

    @Test
    void itIsWrittenInAtMost768Characters() {
        assertThat(new RankMove("i".repeat(352), "t".repeat(352), false, Map.of()).inputs())
                .hasSize(352);
        assertThatThrownBy(() -> new RankMove("i".repeat(353), "t".repeat(352), false, Map.of()))
                .hasMessage("a move is written in at most 768 characters, this one in 769");
        assertThatThrownBy(() -> new RankMove("", "t", false, Map.of())).hasMessageContaining("what ranks depend on");
    }
}
