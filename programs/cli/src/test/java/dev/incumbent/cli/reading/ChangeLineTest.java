package dev.incumbent.cli.reading;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.LeaderChange;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeLineTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(6);

    @Test
    void termsThatPassedBetweenTwoLooksAreToldToo() {
        ObservedRecord now = led(
                5,
                "d",
                past(2, "a", EndReason.RESIGNED),
                past(3, "b", EndReason.LEASE_LOST),
                past(4, "c", EndReason.TRANSFERRED));

        List<LeaderChange> changes = LeaderChange.to(JOB, led(2, "a")).until(now);

        assertThat(changes.stream().map(ChangeLine::text))
                .containsExactly(
                        "2026-11-20T12:00:00Z  job  token 3  leader b  previous a (resigned)",
                        "2026-11-20T12:00:00Z  job  token 4  leader c  previous b (lost)",
                        "2026-11-20T12:00:00Z  job  token 5  leader d  previous c (transferred)");
    }

    @Test
    void aLeaderWhoseLeaseIsDeadIsLostBeforeAnyRecordSaysSo() {
        ObservedRecord dead = observed(led(5, "d").record(), false);

        assertThat(ChangeLine.text(LeaderChange.to(JOB, dead)))
                .isEqualTo("2026-11-20T12:00:00Z  job  token 5  vacant  previous d (lost)");
    }

    @Test
    void aVacancyNamesWhoLedLastAndWhyThatEnded() {
        ObservedRecord vacant = observed(
                led(5, "d").record().remembering(past(5, "d", EndReason.FROZEN)).vacated(0, NOON), false);

        assertThat(ChangeLine.text(LeaderChange.to(JOB, vacant)))
                .isEqualTo("2026-11-20T12:00:00Z  job  token 5  vacant  previous d (frozen)");
    }

    @Test
    void aLeadersAddressIsToldWhereItHasOne() {
        Candidate reachable = new Candidate(new CandidateId("d"), "d", "10.0.0.4:8080");
        LeaderChange change = new LeaderChange(JOB, 5, Optional.of(reachable), Optional.empty(), NOON);

        assertThat(ChangeLine.text(change)).isEqualTo("2026-11-20T12:00:00Z  job  token 5  leader d at 10.0.0.4:8080");
    }

    private static ObservedRecord led(long term, String leader, PastTerm... history) {
        LeaderRecord record = LeaderRecord.EMPTY;
        for (PastTerm past : history) {
            record = record.remembering(past);
        }
        record = record.claimedBy(term, candidate(leader), new LeaseId("lease-" + leader), LEASE, NOON);
        return observed(record, true);
    }

    private static ObservedRecord observed(LeaderRecord record, boolean leaseAlive) {
        return new ObservedRecord(record, new Revision("r"), leaseAlive, Optional.empty());
    }

    private static PastTerm past(long number, String leader, EndReason reason) {
        return new PastTerm(number, candidate(leader), NOON, NOON, reason, LEASE);
    }

    private static Candidate candidate(String name) {
        return new Candidate(new CandidateId(name), name, "");
    }
}
