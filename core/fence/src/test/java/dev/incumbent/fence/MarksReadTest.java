package dev.incumbent.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MarksReadTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final ElectionName REPORTS = new ElectionName("reports");
    private static final ElectionName NEVER = new ElectionName("never");
    private static final Mark SEVEN = new Mark(new FencingToken(7), MarkOwner.ofOperator("me"));

    private final MarksRead both = new MarksRead(Map.of(BILLING, SEVEN), Map.of(REPORTS, "'x' is no number"));

    @Test
    void aMarkIsToldAndOneThatIsAbsentIsNot() {
        assertThat(both.of(BILLING)).contains(SEVEN);
        assertThat(both.of(NEVER)).isEmpty();
    }

    @Test
    void whatCannotBeReadIsNeitherAMarkNorAbsent() {
        assertThatThrownBy(() -> both.of(REPORTS))
                .isInstanceOf(SinkException.class)
                .hasMessage("the mark of reports cannot be read: 'x' is no number");
    }

    @Test
    void onlyThoseThatAreAskedForAreTold() {
        assertThat(both.only(Set.of(BILLING, NEVER))).isEqualTo(MarksRead.of(Map.of(BILLING, SEVEN)));
        assertThat(both.only(Set.of(REPORTS))).isEqualTo(new MarksRead(Map.of(), Map.of(REPORTS, "'x' is no number")));
    }

    @Test
    void oneThatCannotBeReadHidesNoOtherAndAForeignNameIsLeftOut() {
        MarksRead.Gathered gathered = new MarksRead.Gathered();
        gathered.add("reports", () -> {
            throw new IllegalArgumentException("'x' is no number");
        });
        gathered.add("no*election", () -> Optional.of(SEVEN));
        gathered.add("never", Optional::empty);
        gathered.add("billing", () -> Optional.of(SEVEN));

        assertThat(gathered.told()).isEqualTo(both);
    }

    @Test
    void aSinksOwnWordsAreTheReason() {
        MarksRead.Gathered gathered = new MarksRead.Gathered();
        gathered.add(REPORTS, () -> {
            throw new SinkException("'x' is no number");
        });

        assertThat(gathered.told().unreadable()).isEqualTo(Map.of(REPORTS, "'x' is no number"));
    }
}
