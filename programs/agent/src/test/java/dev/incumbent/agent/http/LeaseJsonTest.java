package dev.incumbent.agent.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.telling.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long a leader's lease is, and what is left of it, in whole milliseconds. */
class LeaseJsonTest {
    private static final LeaderRecord LED = LeaderRecord.EMPTY.claimedBy(
            7,
            new Candidate(new CandidateId("c"), "c", ""),
            new LeaseId("lease"),
            Duration.ofSeconds(6),
            Instant.EPOCH);

    @Test
    void whatIsLeftOfALivingLeaseIsNeverBelowNothing() {
        assertThat(told(LED, true, Optional.of(Duration.ofMillis(2_500))))
                .isEqualTo("{\"leaseMs\":6000,\"leaseRemainingMs\":2500}");
        assertThat(told(LED, true, Optional.of(Duration.ofMillis(-3))))
                .isEqualTo("{\"leaseMs\":6000,\"leaseRemainingMs\":0}");
    }

    @Test
    void ofADeadLeaseOrWhereTheStoreDoesNotTellNothingIsSaid() {
        String unsaid = "{\"leaseMs\":6000,\"leaseRemainingMs\":null}";

        assertThat(told(LED, false, Optional.of(Duration.ofSeconds(1)))).isEqualTo(unsaid);
        assertThat(told(LED, true, Optional.empty())).isEqualTo(unsaid);
    }

    @Test
    void whereNobodyLeadsThereIsNoLease() {
        assertThat(told(LED.vacated(0, Instant.EPOCH), false, Optional.empty()))
                .isEqualTo("{\"leaseMs\":null,\"leaseRemainingMs\":null}");
    }

    private static String told(LeaderRecord record, boolean isAlive, Optional<Duration> left) {
        return Overview.withLease(new JsonObject(), new ObservedRecord(record, new Revision("r"), isAlive, left))
                .toString();
    }
}
