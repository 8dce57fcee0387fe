package dev.incumbent.coordinator.consul;

import static dev.incumbent.coordinator.consul.Asking.accepted;
import static dev.incumbent.coordinator.consul.Asking.answer;
import static dev.incumbent.coordinator.consul.Asking.claim;
import static dev.incumbent.coordinator.consul.Asking.found;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Revision;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Consul's servers may count a session from an earlier moment than its holder, when they change their leader: others wait for a lease after its end, and that covers it. */
@Tag("field")
@Tag("realtime")
final class SessionLengthTest {
    private final ConsulRig rig = ConsulRig.onAServerOfItsOwn(Duration.ofSeconds(4), Duration.ofSeconds(10));
    private final Coordinator holder = rig.connect();
    private final Coordinator observer = rig.connect();
    private final ElectionName election = new ElectionName("session-length/" + UUID.randomUUID());

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aLeaseThatNobodyKeepsAliveLivesForOthersForHalfAsLongAgain() throws Exception {
        GrantedLease lease = answer(holder.grant(Asking.id("ada"), rig.lease()));
        accepted(holder.swap(election, Revision.ABSENT, claim("ada", lease.id())));
        answer(holder.keepAlive(lease.id()));

        rig.passTime(lease.timeToLive().multipliedBy(3).dividedBy(2));

        assertThat(found(observer, election).leaseAlive()).isTrue();
    }
}
