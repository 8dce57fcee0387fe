package dev.incumbent.coordinator.sqlite;

import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases are counted by the machine's monotonic clock, whatever its other clocks do. */
@Tag("realtime")
final class OtherClocksTest {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private SqliteRig rig;
    private Coordinator one;

    @BeforeEach
    void open() throws IOException {
        rig = new SqliteRig();
        one = rig.connect();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {-24, 24})
    void aStepOfTheWallClockMovesNoLease(int hours) throws Exception {
        LeaseId lease = claimed();

        rig.clock().stepWall(Duration.ofHours(hours));

        assertItLivesAndEndsAfterItsOwnLength(lease);
    }

    @Test
    void leasesStandStillWhileTheMachineIsSuspended() throws Exception {
        LeaseId lease = claimed();

        rig.clock().suspend(Duration.ofHours(24));

        assertItLivesAndEndsAfterItsOwnLength(lease);
    }

    private LeaseId claimed() throws Exception {
        LeaseId lease = granted(one, LEASE).id();
        swapped(one, Revision.ABSENT, claim(lease));
        return lease;
    }

    private void assertItLivesAndEndsAfterItsOwnLength(LeaseId lease) throws Exception {
        assertThat(found(one).leaseAlive()).isTrue();
        assertThat(found(one).leaseRemaining().orElseThrow()).isBetween(Duration.ZERO, LEASE);
        get(one.keepAlive(lease));
        Coordinator other = rig.connect();
        assertThat(found(other).leaseAlive()).isTrue();

        rig.stepStoreClock(LEASE);

        assertThat(found(other).leaseAlive()).isFalse();
        assertThat(failure(one.keepAlive(lease))).isInstanceOf(LeaseLostException.class);
    }
}
