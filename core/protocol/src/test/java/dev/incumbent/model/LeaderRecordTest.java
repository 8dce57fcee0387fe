package dev.incumbent.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LeaderRecordTest {
    private static final Candidate ADA = candidate("ada");

    @Test
    void aRecordNamesItsLeaderInItsTermAlone() {
        LeaderRecord record = led("ada", "La", 15);

        assertThat(record.names(ADA.id(), 7)).isTrue();
        assertThat(record.names(ADA.id(), 8)).isFalse();
        assertThat(record.names(new CandidateId("bob"), 7)).isFalse();
        assertThat(record.vacated(7, Instant.EPOCH).names(ADA.id(), 7)).isFalse();
    }

    @Test
    void aVacancyKeepsTheGreaterTerm() {
        LeaderRecord record = led("ada", "La", 15);

        assertThat(record.vacated(5, Instant.EPOCH).term()).isEqualTo(7);
        assertThat(record.vacated(9, Instant.EPOCH).term()).isEqualTo(9);
    }

    @Test
    void aRecordHasATermOfAtLeastZeroAndALeaderWithItsLeaseOrNeither() {
        assertThatThrownBy(() -> LeaderRecord.EMPTY.claimedBy(-1, ADA, new LeaseId("La"), Duration.ZERO, Instant.EPOCH))
                .hasMessage("a record's term is at least 0, this one is -1");
        assertThatThrownBy(() -> record(Optional.of(ADA), Optional.empty()))
                .hasMessageContaining("names a leader and its lease, or neither");
        assertThatThrownBy(() -> record(Optional.empty(), Optional.of(new LeaseId("La"))))
                .hasMessageContaining("names a leader and its lease, or neither");
    }

    @Test
    void theLastSixteenTermsAreRemembered() {
        LeaderRecord record = LeaderRecord.EMPTY;
        for (int number = 1; number <= 17; number++) {
            record = record.remembering(
                    new PastTerm(number, ADA, Instant.EPOCH, Instant.EPOCH, EndReason.RESIGNED, Duration.ZERO));
        }

        assertThat(record.history())
                .extracting(PastTerm::number)
                .hasSize(16)
                .startsWith(2L)
                .endsWith(17L);
    }

    @Test
    void nobodyLeadsWithoutALeaderOrWithADeadLease() {
        LeaderRecord led = led("ada", "La", 15);

        assertThat(observed(led, true).isVacant()).isFalse();
        assertThat(observed(led, false).isVacant()).isTrue();
        assertThat(observed(LeaderRecord.EMPTY, true).isVacant()).isTrue();
    }

    @Test
    void anEqualRecordIsHeldOnce() {
        LeaderRecord one = led("ada", "La", 15);
        LeaderRecord other = led("ada", "La", 15);

        assertThat(one.sharing(other)).isSameAs(other);
    }

    @Test
    void theEqualPartsOfTwoRecordsAreHeldOnce() {
        LeaderRecord one = led("ada", "La", 15).written("n1");
        LeaderRecord other = led("ada", "La", 15).written("n2");

        LeaderRecord shared = one.sharing(other);

        assertThat(shared).isEqualTo(one);
        assertThat(shared.leader()).isSameAs(other.leader());
        assertThat(shared.lease()).isSameAs(other.lease());
        assertThat(shared.leaseLength()).isSameAs(other.leaseLength());
        assertThat(shared.sinks()).isSameAs(other.sinks());
        assertThat(shared.sharing(other)).isSameAs(shared);
    }

    @Test
    void anyOneEqualPartIsHeldOnce() {
        LeaderRecord other = led("ada", "La", 15);
        LeaderRecord sameLeader = led("ada", "Lb", 16).withSinks(Map.of());
        LeaderRecord sameLease = led("bob", "La", 16).withSinks(Map.of());
        LeaderRecord sameLength = led("bob", "Lb", 15).withSinks(Map.of());
        LeaderRecord sameSinks = led("bob", "Lb", 16);

        assertThat(sameLeader.sharing(other)).isEqualTo(sameLeader);
        assertThat(sameLeader.sharing(other).leader()).isSameAs(other.leader());
        assertThat(sameLease.sharing(other).lease()).isSameAs(other.lease());
        assertThat(sameLength.sharing(other).leaseLength()).isSameAs(other.leaseLength());
        assertThat(sameSinks.sharing(other).sinks()).isSameAs(other.sinks());
    }

    @Test
    void aRecordThatHasNoPartInCommonStaysItself() {
        LeaderRecord other = led("ada", "La", 15);
        LeaderRecord one = led("bob", "Lb", 16).withSinks(Map.of());

        assertThat(one.sharing(other)).isSameAs(one);
        assertThat(LeaderRecord.EMPTY.written("n1").sharing(LeaderRecord.EMPTY.written("n2")))
                .isEqualTo(LeaderRecord.EMPTY.written("n1"));
    }

    @Test
    void theSinksOfARecordAreInOrderAndCannotBeChanged() {
        Map<SinkId, String> given =
                new HashMap<>(Map.of(new SinkId("c"), "C", new SinkId("a"), "A", new SinkId("b"), "B"));

        Map<SinkId, String> sinks = LeaderRecord.EMPTY.withSinks(given).sinks();
        given.clear();

        assertThat(sinks).hasToString("{a=A, b=B, c=C}").containsEntry(new SinkId("b"), "B");
        assertThat(sinks.containsKey(new SinkId("d"))).isFalse();
        assertThat(sinks.get(new SinkId("d"))).isNull();
        assertThatThrownBy(() -> sinks.put(new SinkId("d"), "D")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(sinks::clear).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void allRecordsHoldOneEmptyMapAndOneEmptySet() {
        assertThat(Sorted.copyOf(Map.<SinkId, String>of())).isSameAs(Sorted.copyOf(Map.<SinkId, String>of()));
        assertThat(Sorted.copyOf(Set.<SinkId>of())).isSameAs(Sorted.copyOf(Set.<SinkId>of()));
    }

    /** No object of it is shared with another call's. */
    private static LeaderRecord led(String leader, String lease, int seconds) {
        return LeaderRecord.EMPTY
                .claimedBy(7, candidate(leader), new LeaseId(lease), Duration.ofSeconds(seconds), Instant.EPOCH)
                .withSinks(Map.of(new SinkId("disk"), "disk"));
    }

    private static LeaderRecord record(Optional<Candidate> leader, Optional<LeaseId> lease) {
        return new LeaderRecord(
                1,
                leader,
                lease,
                Duration.ZERO,
                Instant.EPOCH,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Cordons.NONE,
                Map.of(),
                Set.of(),
                Set.of(),
                Holders.NONE,
                "",
                List.of(),
                Map.of());
    }

    private static ObservedRecord observed(LeaderRecord record, boolean alive) {
        return new ObservedRecord(record, new Revision("r1"), alive, Optional.empty());
    }

    private static Candidate candidate(String name) {
        return new Candidate(new CandidateId(name), name, "");
    }
}
