package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class AcknowledgedLeaseTest {
    private final AcknowledgedLease lease = new AcknowledgedLease();

    @Test
    void aRenewalThatWasOnlySentChangesNothing() {
        lease.sent(1_000, 11_000);
        lease.acknowledged(11_000);
        lease.sent(2_000, 12_000);

        assertThat(lease.killAt()).hasValue(1_000);
        assertThat(lease.hasPassedAt(999)).isFalse();
        assertThat(lease.hasPassedAt(1_000)).isTrue();
    }

    @Test
    void aRenewalThatTheSupervisorDidNotTakeChangesNothing() {
        lease.sent(1_000, 11_000);
        lease.acknowledged(11_000);
        lease.sent(2_000, 12_000);
        lease.acknowledged(11_000);

        assertThat(lease.killAt()).hasValue(1_000);
    }

    @Test
    void theFirstLeaseCountsAsSoonAsItIsSent() {
        assertThat(lease.killAt()).isEmpty();
        assertThat(lease.hasPassedAt(Long.MAX_VALUE)).isFalse();

        lease.sent(1_000, 11_000);

        assertThat(lease.killAt()).hasValue(1_000);
    }
}
