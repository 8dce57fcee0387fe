package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.model.Revision;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How leases end: by the servers' judgement, or by their holder's silence. */
@Tag("realtime")
final class LeaseEndTest {
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Of a busy machine. */
    private static final Duration SLACK = Duration.ofSeconds(2);

    private final ZooKeeperRig rig = new ZooKeeperRig(Servers.shared(), Duration.ofSeconds(3));
    private final Coordinator holder = rig.connect();
    private final Coordinator observer = rig.connect();

    @AfterEach
    void close() {
        rig.close();
    }

    /** The client pings by itself while the holder only looks alive. */
    @Test
    void aLeaseEndsByItsHoldersSilenceThoughItsClientIsConnected() {
        GrantedLease lease = claimed();

        rig.passTime(lease.timeToLive());

        Asking.within(
                Duration.ofSeconds(5),
                "the end of a lease",
                () -> !Asking.found(observer).leaseAlive());
        assertThat(Asking.failure(holder.keepAlive(lease.id()))).isInstanceOf(LeaseLostException.class);
    }

    @Test
    void aHolderCutOffIsDeadToTheServersAfterItsLeaseAndTwoTicksAtMost() {
        GrantedLease lease = claimed();
        long sent = rig.timeline().nanos();
        Asking.get(holder.keepAlive(lease.id()));

        rig.cut(holder, Cut.SILENT);
        Asking.within(
                Duration.ofSeconds(20),
                "the end of a lease",
                () -> !Asking.found(observer).leaseAlive());

        Duration lasted = Duration.ofNanos(rig.timeline().nanos() - sent);
        Duration most = lease.timeToLive().plus(Servers.TICK.multipliedBy(2));
        assertThat(lasted).isBetween(lease.timeToLive(), most.plus(SLACK));
    }

    @Test
    void aLeaseIsToldAsLongAsItsSession() {
        GrantedLease lease = claimed();

        assertThat(lease.timeToLive()).isEqualTo(LEASE);
        byte[] told = Plain.at(Servers.shared().hostPort(), plain -> plain.getData(node(lease), false, new Stat()));
        assertThat(new String(told, StandardCharsets.UTF_8))
                .contains("\"owner\":\"ada@host-1-x\"")
                .endsWith("\"timeoutMs\":" + LEASE.toMillis() + "}");
    }

    @Test
    void aLeaseShorterThanTheShortestSessionIsGrantedAsThat() {
        assertThat(Asking.granted(holder, Duration.ofMillis(1)).timeToLive()).isEqualTo(Servers.TICK.multipliedBy(2));
    }

    @Test
    void aSessionEndedByTheServersIsALeaseLostAndTheNextIsGranted() {
        GrantedLease lease = claimed();

        boolean gone = Plain.at(Servers.shared().hostPort(), plain -> {
            plain.delete(node(lease), -1);
            return true;
        });

        assertThat(gone).isTrue();
        assertThat(Asking.failure(holder.keepAlive(lease.id()))).isInstanceOf(LeaseLostException.class);
        assertThat(Asking.granted(holder, LEASE).id()).isNotEqualTo(lease.id());
    }

    /** Asked for again by whoever may read the lease's node: its session goes on in another process. */
    @Test
    void aLeaseIsKeptAliveByAnotherProcessForItsWholeLengthAgain() {
        GrantedLease lease = claimed();
        holder.close();
        rig.passTime(lease.timeToLive().dividedBy(2));
        long sent = rig.timeline().nanos();

        Asking.get(observer.keepAlive(lease.id()));
        rig.passTime(lease.timeToLive().multipliedBy(3).dividedBy(4));
        boolean alive = Asking.found(observer).leaseAlive();

        boolean asked = rig.timeline().nanos() - sent < lease.timeToLive().toNanos();
        assertThat(alive || !asked).isTrue();
        Asking.within(
                Duration.ofSeconds(20),
                "the end of a lease",
                () -> !Asking.found(observer).leaseAlive());
    }

    private GrantedLease claimed() {
        GrantedLease lease = Asking.granted(holder, LEASE);
        Asking.swapped(holder, Revision.ABSENT, Asking.claim(1, lease.id()));
        return lease;
    }

    private String node(GrantedLease lease) {
        return rig.nodes().lease(lease.id());
    }
}
