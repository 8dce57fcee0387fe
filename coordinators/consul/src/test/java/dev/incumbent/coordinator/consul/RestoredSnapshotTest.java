package dev.incumbent.coordinator.consul;

import static dev.incumbent.coordinator.consul.Asking.accepted;
import static dev.incumbent.coordinator.consul.Asking.answer;
import static dev.incumbent.coordinator.consul.Asking.claim;
import static dev.incumbent.coordinator.consul.Asking.found;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import dev.incumbent.servers.Waiting;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a snapshot brings back that was dead: the page says that only the fence helps then. */
@Tag("realtime")
final class RestoredSnapshotTest {
    private final ConsulRig rig = ConsulRig.onAServerOfItsOwn();
    private final Coordinator client = rig.connect();
    private final Coordinator other = rig.connect();
    private final ElectionName election = new ElectionName("restored/" + UUID.randomUUID());

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aSessionThatWasReportedDeadLivesAgainForProcessesThatDidNotHearOfIt() throws Exception {
        LeaseId lease = answer(client.grant(Asking.id("ada"), rig.lease())).id();
        Revision first = accepted(client.swap(election, Revision.ABSENT, claim("ada", lease)));
        rig.backUp();
        answer(client.revoke(lease));
        assertThat(found(client, election).leaseAlive()).isFalse();

        rig.restore();
        long restored = rig.timeline().nanos();

        assertThat(found(other, election).revision()).isEqualTo(first);
        assertThat(found(other, election).leaseAlive()).isTrue();
        assertThat(found(client, election).leaseAlive()).isFalse();
        Waiting.until("its death", () -> !isAlive());
        assertThat(rig.timeline().nanos() - restored)
                .isGreaterThanOrEqualTo(rig.lease().multipliedBy(3).dividedBy(2).toNanos());
    }

    private boolean isAlive() {
        try {
            return found(other, election).leaseAlive();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
