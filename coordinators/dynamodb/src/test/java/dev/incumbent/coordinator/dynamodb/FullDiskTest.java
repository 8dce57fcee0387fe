package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.failure;
import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.incumbent.adverse.AdverseRig.ServerFault;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What each call says while the disk of Dynoxide is full. */
@Tag("realtime")
final class FullDiskTest {
    private static final ElectionName BILLING = new ElectionName("billing/closer");
    private static final CandidateId ADA = new CandidateId("ada@host-1-x");
    private static final Duration LONG = Duration.ofMinutes(1);

    @Test
    void noWriteIsTakenEachIsToldAsUncertainAndReadsGoOn() {
        DynamoDbTroubles rig = DynamoDbTroubles.onAServerOfItsOwn();
        try (rig) {
            assumeThat(rig.serverFaults()).contains(ServerFault.FULL);
            Coordinator client = rig.connect();
            LeaseId lease = join(client.grant(ADA, LONG)).id();
            LeaderRecord first = vacant(1);
            join(client.swap(BILLING, Revision.ABSENT, first));

            rig.befall(ServerFault.FULL);

            List.of(
                            client.grant(ADA, LONG),
                            client.keepAlive(lease),
                            client.swap(BILLING, new Revision(first.nonce()), vacant(2)))
                    .forEach(call -> {
                        CoordinatorException full = failure(call);
                        assertThat(full).hasMessageContaining("InternalServerError");
                        assertThat(full.mayHaveApplied()).isTrue();
                    });
            assertThat(join(client.read(Set.of(BILLING))).get(BILLING))
                    .isInstanceOfSatisfying(
                            Reading.Found.class,
                            found -> assertThat(found.record().record().nonce()).isEqualTo(first.nonce()));

            rig.recover(ServerFault.FULL);
            join(client.keepAlive(lease));
            assertThat(join(client.swap(BILLING, new Revision(first.nonce()), vacant(2))))
                    .isInstanceOf(Swap.Accepted.class);
        }
    }

    private static LeaderRecord vacant(long term) {
        return LeaderRecord.EMPTY
                .vacated(term, Instant.EPOCH)
                .written(UUID.randomUUID().toString());
    }
}
