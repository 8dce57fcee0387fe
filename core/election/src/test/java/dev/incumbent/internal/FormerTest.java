package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.protocol.ElectionState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Elections that were left are read in turn, a bounded number at a time. */
class FormerTest {
    private static final int ROUNDS = 10;

    private final Former former = new Former(new CandidateId("me@host-1-a"));

    @Test
    void whatWasLeftIsReadEveryTenthTime() {
        leave(3);

        assertThat(due(ROUNDS - 1)).isEmpty();
        assertThat(due(1)).hasSize(3);
        assertThat(due(ROUNDS - 1)).isEmpty();
        assertThat(due(1)).hasSize(3);
    }

    @Test
    void thousandsAreReadInTurnAndNoneIsForgotten() {
        leave(1200);
        List<ElectionName> read = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            List<ElectionName> few = due(ROUNDS);
            assertThat(few).hasSize(500).doesNotHaveDuplicates();
            read.addAll(few);
        }

        assertThat(read.stream().distinct()).hasSize(1200);
        for (int i = 0; i < 1200; i++) {
            assertThat(read.stream().filter(name(i)::equals))
                    .as("read as often as any other")
                    .hasSize(5);
        }
    }

    private void leave(int count) {
        for (int i = 0; i < count; i++) {
            former.left(name(i), ElectionState.START.memory());
        }
    }

    private static ElectionName name(int number) {
        return new ElectionName("job/" + number);
    }

    private List<ElectionName> due(int rounds) {
        List<ElectionName> due = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            due.addAll(former.due());
        }
        return due;
    }
}
