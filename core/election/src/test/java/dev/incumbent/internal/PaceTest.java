package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
    private static final long PROMPT = 100;

    private final Pace pace = new Pace(10, 50, PROMPT);

    @Test
    void itBeginsWithTheFewest() {
        assertThat(pace.room()).isEqualTo(10);
    }

    @Test
    void whatIsUnderWayTakesRoom() {
        pace.asked(7);

        assertThat(pace.room()).isEqualTo(3);
    }

    @Test
    void aPromptAnswerMakesRoomForItselfAndAsManyMore() {
        pace.asked(7);

        pace.ended(7, 0, PROMPT);

        assertThat(pace.room()).isEqualTo(17);
    }

    @Test
    void promptAnswersNeverMakeRoomForMoreThanTheMost() {
        answered(60, 0, PROMPT);

        assertThat(pace.room()).isEqualTo(50);
    }

    @Test
    void aSlowAnswerHalvesWhatMayBeAsked() {
        answered(30, 0, PROMPT);

        answered(1, 0, PROMPT + 1);

        assertThat(pace.room()).isEqualTo(20);
    }

    @Test
    void slowAnswersNeverLeaveRoomForLessThanTheFewest() {
        answered(1, 0, 1_000);

        assertThat(pace.room()).isEqualTo(10);
    }

    @Test
    void whatWasAskedBeforeItWasSlowedDownSlowsItNoMore() {
        answered(40, 0, PROMPT);
        answered(1, 0, 1_000);

        answered(1, 999, 2_000);
        assertThat(pace.room()).as("asked before").isEqualTo(25);

        answered(1, 1_000, 2_001);
        assertThat(pace.room()).as("asked since").isEqualTo(12);
    }

    private void answered(int count, long askedAt, long now) {
        pace.asked(count);
        pace.ended(count, askedAt, now);
    }
}
