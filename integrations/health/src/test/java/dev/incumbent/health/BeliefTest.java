package dev.incumbent.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.health.Condition.State;
import dev.incumbent.health.Rhythm.Share;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What answers do to a belief: + is a good one, - a bad one. */
class BeliefTest {
    private static final Rhythm RHYTHM = Rhythm.every(Duration.ofSeconds(5));

    @Test
    void theFirstAnswerDecidesAlone() {
        assertThat(after("", RHYTHM)).isEqualTo(State.UNASKED);
        assertThat(after("+", RHYTHM)).isEqualTo(State.WELL);
        assertThat(after("-", RHYTHM)).isEqualTo(State.SICK);
    }

    @Test
    void threeInARowChangeWhatIsBelievedWhereNothingElseIsSaid() {
        assertThat(after("+--", RHYTHM)).isEqualTo(State.WELL);
        assertThat(after("+---", RHYTHM)).isEqualTo(State.SICK);
        assertThat(after("+--+--", RHYTHM)).as("a good one between them").isEqualTo(State.WELL);
        assertThat(after("-++", RHYTHM)).isEqualTo(State.SICK);
        assertThat(after("-+++", RHYTHM)).isEqualTo(State.WELL);
        assertThat(after("-++-++", RHYTHM)).as("a bad one between them").isEqualTo(State.SICK);
    }

    @Test
    void twoOfThreeNeedNotFollowEachOther() {
        Rhythm rhythm = RHYTHM.after(2, 3);

        assertThat(after("+-", rhythm)).isEqualTo(State.WELL);
        assertThat(after("+-+-", rhythm)).isEqualTo(State.SICK);
        assertThat(after("+-++-", rhythm)).as("the first one is too old").isEqualTo(State.WELL);
        assertThat(after("-+-+", rhythm)).isEqualTo(State.WELL);
        assertThat(after("-+--+", rhythm)).as("the first one is too old").isEqualTo(State.SICK);
    }

    /** Otherwise one answer more would turn it back: of the last three two were bad. */
    @Test
    void whatWasAnsweredBeforeTheLastChangeCountsNoMore() {
        Rhythm rhythm = RHYTHM.after(2, 4);

        assertThat(after("+-+-", rhythm)).isEqualTo(State.SICK);
        assertThat(after("+-+-+", rhythm)).isEqualTo(State.SICK);
        assertThat(after("+-+-++", rhythm)).isEqualTo(State.WELL);
        assertThat(after("+-+-++-", rhythm)).isEqualTo(State.WELL);
    }

    @Test
    void eachDirectionMayHaveItsOwnNumber() {
        Rhythm rhythm = RHYTHM.sickAfter(3, 3).wellAfter(1, 1);

        assertThat(after("+--", rhythm)).isEqualTo(State.WELL);
        assertThat(after("+---", rhythm)).isEqualTo(State.SICK);
        assertThat(after("+---+", rhythm)).isEqualTo(State.WELL);
    }

    @Test
    void oneAnswerIsEnoughWhereThatIsAskedFor() {
        assertThat(after("+-", RHYTHM.after(1))).isEqualTo(State.SICK);
        assertThat(after("+-+", RHYTHM.after(1))).isEqualTo(State.WELL);
    }

    @Test
    void itKeepsNoMoreAnswersThanADecisionLooksAt() {
        Belief belief = Belief.UNASKED.after(true, RHYTHM);
        for (int i = 0; i < 1_000; i++) {
            belief = belief.after(true, RHYTHM);
        }

        assertThat(belief.since()).hasSize(3);
    }

    @Test
    void whatCannotBeMeantIsRefused() {
        assertThatThrownBy(() -> RHYTHM.after(3, 2)).hasMessageContaining("these are 3 of 2");
        assertThatThrownBy(() -> RHYTHM.after(0)).hasMessageContaining("these are 0 of 0");
        assertThatThrownBy(() -> RHYTHM.after(101)).hasMessageContaining("these are 101 of 101");
        assertThatThrownBy(() -> Rhythm.every(Duration.ZERO)).hasMessageContaining("this is PT0S");
        assertThatThrownBy(() -> Rhythm.every(Duration.ofSeconds(-1))).hasMessageContaining("this is PT-1S");
        assertThatThrownBy(() -> RHYTHM.within(Duration.ofDays(2))).hasMessageContaining("this is PT48H");
    }

    @Test
    void theLongestAndTheMostAreAllowed() {
        assertThat(Rhythm.every(Duration.ofDays(1)).every()).isEqualTo(Duration.ofDays(1));
        assertThat(RHYTHM.within(Duration.ofDays(1)).within()).isEqualTo(Duration.ofDays(1));
        assertThat(RHYTHM.after(100).sickAfter()).isEqualTo(new Share(100, 100));
    }

    @Test
    void whatIsNotSaidIsTheStandard() {
        Share threeInARow = new Share(3, 3);

        assertThat(Rhythm.STANDARD)
                .isEqualTo(new Rhythm(Duration.ofSeconds(5), Duration.ofSeconds(2), threeInARow, threeInARow));
        assertThat(Rhythm.every(Duration.ofSeconds(10)))
                .isEqualTo(new Rhythm(Duration.ofSeconds(10), Duration.ofSeconds(2), threeInARow, threeInARow));
        assertThat(Rhythm.every(Duration.ofSeconds(1)).within())
                .as("no longer than to the next question")
                .isEqualTo(Duration.ofSeconds(1));
    }

    private static State after(String answers, Rhythm rhythm) {
        Belief belief = Belief.UNASKED;
        for (int i = 0; i < answers.length(); i++) {
            belief = belief.after(answers.charAt(i) == '+', rhythm);
        }
        return belief.state();
    }
}
