package dev.incumbent.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.CandidateId;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is kept of whom this process has heard. */
class HeardTest {
    private static final CandidateId ADA = new CandidateId("ada");
    private static final CandidateId BOB = new CandidateId("bob");

    @Test
    void eachIsHeardInTheTermThatItToldLast() {
        Heard heard = Heard.NOBODY.by(ADA, 2, 0).by(BOB, 2, 0).by(ADA, 3, 0);

        assertThat(heard.is(ADA, 3)).isTrue();
        assertThat(heard.is(ADA, 2)).isFalse();
        assertThat(heard.is(BOB, 2)).isTrue();
        assertThat(heard.is(BOB, 3)).isFalse();
    }

    @Test
    void whatWasToldOfEarlierTermsIsForgotten() {
        Heard heard = Heard.NOBODY.by(ADA, 2, 0).by(BOB, 5, 4);

        assertThat(heard.terms()).isEqualTo(Map.of(BOB, 5L));
        assertThat(heard.by(ADA, 3, 4).terms()).isEqualTo(Map.of(BOB, 5L));
    }

    @Test
    void noMoreThanSixteenAreKeptTheLatestTerms() {
        Heard heard = Heard.NOBODY;
        for (int i = 1; i <= 40; i++) {
            heard = heard.by(new CandidateId("c" + i), i, 0);
        }

        assertThat(heard.terms()).hasSize(16).containsValues(40L, 25L).doesNotContainValue(24L);
    }
}
