package dev.incumbent.telling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.LeaderChange;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.PastTerm;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeJsonTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    @Test
    void aChangeNamesItsLeaderTheOneBeforeAndWhyThatEnded() {
        Candidate leader = new Candidate(new CandidateId("d-1"), "d", "10.0.0.4:8080");
        Candidate before = new Candidate(new CandidateId("c-1"), "c", "");
        PastTerm past = new PastTerm(4, before, NOON, NOON, EndReason.LEASE_LOST, Duration.ofSeconds(6));

        assertThat(ChangeJson.of(new LeaderChange(JOB, 5, Optional.of(leader), Optional.of(past), NOON)))
                .hasToString("{\"election\":\"job\",\"term\":5,\"token\":5,"
                        + "\"leader\":{\"id\":\"d-1\",\"name\":\"d\",\"address\":\"10.0.0.4:8080\"},"
                        + "\"previous\":{\"id\":\"c-1\",\"name\":\"c\",\"address\":\"\"},"
                        + "\"reason\":\"lost\",\"at\":\"2026-11-20T12:00:00Z\"}");
    }

    @Test
    void whereNobodyHasLedYetThereIsNoTimeAndNoReason() {
        assertThat(ChangeJson.of(new LeaderChange(JOB, 0, Optional.empty(), Optional.empty(), Instant.EPOCH)))
                .hasToString("{\"election\":\"job\",\"term\":0,\"token\":0,\"leader\":null,\"previous\":null,"
                        + "\"reason\":null,\"at\":null}");
    }
}
