package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlannedTransferTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final PlannedTransfer PLAN = new PlannedTransfer("ops", "ada", NOON, Instant.EPOCH);

    @Test
    void itIsDueFromItsTimeOnAndLapsesAnHourLater() {
        assertThat(PLAN.isDue(NOON.minusNanos(1))).isFalse();
        assertThat(PLAN.isDue(NOON)).isTrue();
        assertThat(PLAN.hasLapsed(NOON.plusSeconds(3_600))).isFalse();
        assertThat(PLAN.hasLapsed(NOON.plusSeconds(3_600).plusNanos(1))).isTrue();
    }

    @Test
    void theLastOfAllTimesCanBePlanned() {
        PlannedTransfer never = new PlannedTransfer("ops", "ada", Instant.MAX, Instant.EPOCH);

        assertThat(never.isDue(NOON)).isFalse();
        assertThat(never.hasLapsed(NOON)).isFalse();
    }

    @Test
    void itMeansAnIdOrAName() {
        assertThat(PLAN.means(candidate("ada@h1-7-x", "ada"))).isTrue();
        assertThat(PLAN.means(candidate("ada", "eve"))).isTrue();
        assertThat(PLAN.means(candidate("ada@h1-7-x", "eve"))).isFalse();
    }

    @Test
    void whatIsWrittenInMoreThanThreeThousandCharactersIsRefused() {
        assertThatThrownBy(() -> new PlannedTransfer("ops", "é".repeat(490), NOON, NOON))
                .hasMessageContaining("a planned transfer is written in at most 3072 characters, this one in 3103");
        assertThatThrownBy(() -> new PlannedTransfer("ops", "a b", NOON, NOON))
                .hasMessageContaining("has a blank or control character at position 2");
        assertThatThrownBy(() -> new PlannedTransfer("", "a", NOON, NOON)).hasMessageContaining("who plans a transfer");
        assertThat(new PlannedTransfer("o".repeat(512), "a".repeat(512), NOON, NOON, Map.of("later", "1")).unknown())
                .hasSize(1);
    }

    private static Candidate candidate(String id, String name) {
        return new Candidate(new CandidateId(id), name, "");
    }
}
