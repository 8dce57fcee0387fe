package dev.incumbent.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who the members are, and which durations are refused. */
class PeerGroupTest {
    private static final MemberId A = new MemberId("a");
    private static final MemberId B = new MemberId("b");
    private static final MemberId C = new MemberId("c");

    @Test
    void theRingGoesRoundAndTheIdsHaveAnOrderOfTheirOwn() {
        PeerGroup group = new PeerGroup(B, List.of(C, B, A));

        assertThat(group.after(C)).isEqualTo(B);
        assertThat(group.after(A)).isEqualTo(C);
        assertThat(group.greater()).containsExactly(C);
        assertThat(group.lesser()).containsExactly(A);
        assertThat(group.others()).containsExactly(C, A);
        assertThat(group.majority()).isEqualTo(2);
    }

    @Test
    void aGroupHasItsMemberAndEachOnce() {
        assertThatThrownBy(() -> new PeerGroup(A, List.of(B, C))).hasMessageContaining("a is not one of [b, c]");
        assertThatThrownBy(() -> new PeerGroup(A, List.of(A, B, A))).hasMessageContaining("twice");
        assertThatThrownBy(() -> new MemberId(" ")).hasMessageContaining("blank");
    }

    @Test
    void durationsThatCannotWorkAreRefused() {
        Duration second = Duration.ofSeconds(1);

        assertThatThrownBy(() -> new PeerTiming(second, second, second, second.multipliedBy(2)))
                .hasMessageContaining("a silence is longer than a heartbeat of PT1S");
        assertThatThrownBy(() -> new PeerTiming(second, second.multipliedBy(2), second, second))
                .hasMessageContaining("an announcement takes longer than an answer of PT1S");
        assertThatThrownBy(() -> new PeerTiming(Duration.ZERO, second, second, second.multipliedBy(2)))
                .hasMessageContaining("above zero");
    }
}
