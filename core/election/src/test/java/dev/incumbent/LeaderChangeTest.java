package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;

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

/** Which changes lie between two looks at a record. */
class LeaderChangeTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration LEASE = Duration.ofSeconds(6);

    @Test
    void whoLeadsIsToldWithWhoLedLastBefore() {
        PastTerm third = past(3, "b", EndReason.LEASE_LOST);
        ObservedRecord observed = led(5, "d", past(2, "a", EndReason.RESIGNED), third);

        assertThat(LeaderChange.to(JOB, observed))
                .isEqualTo(new LeaderChange(JOB, 5, Optional.of(candidate("d")), Optional.of(third), NOON));
    }

    @Test
    void aTermOfThatNumberIsNoPreviousOne() {
        PastTerm fourth = past(4, "c", EndReason.RESIGNED);

        assertThat(LeaderChange.to(JOB, led(5, "d", fourth, past(5, "d", EndReason.RESIGNED)))
                        .previous())
                .contains(fourth);
    }

    @Test
    void aLeaderWhoseLeaseIsDeadIsLostBeforeAnyRecordSaysSo() {
        LeaderChange change = LeaderChange.to(JOB, dead(led(5, "d", past(4, "c", EndReason.RESIGNED))));

        assertThat(change.leader()).isEmpty();
        assertThat(change.term()).isEqualTo(5);
        assertThat(change.previous()).contains(past(5, "d", EndReason.LEASE_LOST));
    }

    @Test
    void aVacancyNamesWhoLedLastAndWhyThatEnded() {
        PastTerm fifth = past(5, "d", EndReason.FROZEN);

        assertThat(LeaderChange.to(JOB, vacant(5, fifth)))
                .isEqualTo(new LeaderChange(JOB, 5, Optional.empty(), Optional.of(fifth), NOON));
    }

    @Test
    void whereNobodyEverLedThereIsNoTermAndNobody() {
        assertThat(LeaderChange.to(JOB, ObservedRecord.ABSENT))
                .isEqualTo(new LeaderChange(JOB, 0, Optional.empty(), Optional.empty(), LeaderRecord.EMPTY.since()));
    }

    @Test
    void termsThatPassedBetweenTwoLooksAreToldInTheirOrder() {
        PastTerm second = past(2, "a", EndReason.RESIGNED);
        PastTerm third = past(3, "b", EndReason.LEASE_LOST);
        PastTerm fourth = past(4, "c", EndReason.TRANSFERRED);

        List<LeaderChange> changes = LeaderChange.to(JOB, led(2, "a")).until(led(5, "d", second, third, fourth));

        assertThat(changes)
                .containsExactly(
                        new LeaderChange(JOB, 3, Optional.of(candidate("b")), Optional.of(second), NOON),
                        new LeaderChange(JOB, 4, Optional.of(candidate("c")), Optional.of(third), NOON),
                        new LeaderChange(JOB, 5, Optional.of(candidate("d")), Optional.of(fourth), NOON));
    }

    /** It is what is told last: nobody leads, after that one. */
    @Test
    void theTermThatAVacancyFollowsIsNotToldTwice() {
        PastTerm third = past(3, "b", EndReason.RESIGNED);
        PastTerm fourth = past(4, "c", EndReason.RESIGNED);

        assertThat(LeaderChange.to(JOB, led(2, "a")).until(vacant(5, third, fourth)))
                .containsExactly(
                        new LeaderChange(JOB, 3, Optional.of(candidate("b")), Optional.empty(), NOON),
                        new LeaderChange(JOB, 5, Optional.empty(), Optional.of(fourth), NOON));
    }

    /** A record may remember the term that it says to be led: that one is told once. */
    @Test
    void aTermThatIsLedIsToldAsThatAlone() {
        PastTerm fifth = past(5, "d", EndReason.RESIGNED);

        assertThat(LeaderChange.to(JOB, led(4, "c")).until(led(5, "d", fifth)))
                .containsExactly(new LeaderChange(JOB, 5, Optional.of(candidate("d")), Optional.empty(), NOON));
    }

    @Test
    void aRenewalIsNoChangeAndTheNextTermOfTheSameLeaderIsOne() {
        LeaderChange fifth = LeaderChange.to(JOB, led(5, "d"));

        assertThat(fifth.until(led(5, "d"))).isEmpty();
        assertThat(fifth.until(led(6, "d"))).containsExactly(LeaderChange.to(JOB, led(6, "d")));
    }

    @Test
    void theSameTermOfAnotherLeaderIsAChange() {
        assertThat(LeaderChange.to(JOB, led(5, "d")).until(led(5, "e")))
                .containsExactly(LeaderChange.to(JOB, led(5, "e")));
    }

    @Test
    void aVacancyThatIsSeenAgainIsNoChangeAndOneAfterAnotherTermIs() {
        LeaderChange afterD = LeaderChange.to(JOB, vacant(5, past(5, "d", EndReason.RESIGNED)));
        PastTerm sixth = past(6, "e", EndReason.RESIGNED);

        assertThat(afterD.until(vacant(5, past(5, "d", EndReason.RESIGNED)))).isEmpty();
        assertThat(afterD.until(vacant(6, sixth)))
                .containsExactly(new LeaderChange(JOB, 6, Optional.empty(), Optional.of(sixth), NOON));
    }

    /** Its lease was seen dead before; now the record says why it had ended. */
    @Test
    void aVacancyWhoseReasonIsKnownBetterIsAChange() {
        PastTerm resigned = past(5, "d", EndReason.RESIGNED);

        assertThat(LeaderChange.to(JOB, dead(led(5, "d"))).until(vacant(5, resigned)))
                .containsExactly(new LeaderChange(JOB, 5, Optional.empty(), Optional.of(resigned), NOON));
    }

    @Test
    void aLeaderThatIsLostIsAChange() {
        ObservedRecord fifth = led(5, "d");

        assertThat(LeaderChange.to(JOB, fifth).until(dead(fifth))).containsExactly(LeaderChange.to(JOB, dead(fifth)));
    }

    private static ObservedRecord led(long term, String leader, PastTerm... history) {
        return observed(claimed(term, leader, history), true);
    }

    private static ObservedRecord vacant(long term, PastTerm... history) {
        return observed(claimed(term, "d", history).vacated(0, NOON), false);
    }

    private static ObservedRecord dead(ObservedRecord led) {
        return observed(led.record(), false);
    }

    private static LeaderRecord claimed(long term, String leader, PastTerm... history) {
        LeaderRecord record = LeaderRecord.EMPTY;
        for (PastTerm past : history) {
            record = record.remembering(past);
        }
        return record.claimedBy(term, candidate(leader), new LeaseId("lease-" + leader), LEASE, NOON);
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
