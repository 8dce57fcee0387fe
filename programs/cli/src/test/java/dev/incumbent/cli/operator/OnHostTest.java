package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.telling.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which candidates a host has. */
class OnHostTest {
    private static final OnHost HOST = new OnHost("rack-2");

    @Test
    void thoseWhoseProcessesRunThereAndThoseThatAreCalledSo() {
        assertThat(HOST.isOf(one("billing", "rack-2"))).isTrue();
        assertThat(HOST.isOf(one("rack-2", "rack-9"))).isTrue();
        assertThat(HOST.isOf(one("billing", "rack-2-7"))).isFalse();
        assertThat(HOST.isOf(one("billing", "a-rack-2"))).isFalse();
        assertThat(HOST.isOf(one("billing@rack-2", "rack-9"))).isFalse();
    }

    @Test
    void itIsKnownWhereOneOfThemLeadsOrStands() {
        assertThat(HOST.isKnownIn(standing("rack-2", "rack-9"))).as("leads").isTrue();
        assertThat(HOST.isKnownIn(standing("rack-9", "rack-2"))).as("stands").isTrue();
        assertThat(HOST.isKnownIn(standing("rack-9", "rack-8"))).isFalse();
        assertThat(HOST.leads(standing("rack-9", "rack-2"))).isFalse();
        assertThat(HOST.leads(standing("rack-2", "rack-9"))).isTrue();
    }

    @Test
    void theSuccessorIsTheFirstInLineElsewhere() {
        Standing standing = standing("rack-2", "rack-2", "rack-7", "rack-9");

        assertThat(HOST.successor(standing)).contains(one("billing", "rack-7"));
        assertThat(HOST.successor(standing("rack-2", "rack-2"))).isEmpty();
    }

    /** Led from there, with these in line. */
    private static Standing standing(String leader, String... line) {
        LeaderRecord record = LeaderRecord.EMPTY.claimedBy(
                1, one("billing", leader), new LeaseId("lease"), Duration.ofSeconds(6), Instant.EPOCH);
        List<Enlisted> candidates = Stream.of(line)
                .map(host -> new Enlisted(one("billing", host), new LeaseId(host), Instant.EPOCH, Set.of()))
                .toList();
        return new Standing(
                new ElectionName("job"),
                new Reading.Found(new ObservedRecord(record, new Revision("r"), true, Optional.empty())),
                candidates);
    }

    private static Candidate one(String name, String host) {
        return new Candidate(CandidateId.of(name, host, 4711, "0a1b2c3d4e5f"), name, "");
    }
}
