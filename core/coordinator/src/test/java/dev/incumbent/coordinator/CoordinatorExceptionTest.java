package dev.incumbent.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.LeaseId;
import org.junit.jupiter.api.Test;

class CoordinatorExceptionTest {
    @Test
    void itTellsWhetherTheCallMayHaveApplied() {
        assertThat(new CoordinatorException("sent", true).mayHaveApplied()).isTrue();
        assertThat(new CoordinatorException("not connected", false).mayHaveApplied())
                .isFalse();
    }

    @Test
    void aLostLeaseIsNamedAndNothingApplied() {
        LeaseLostException lost = new LeaseLostException(new LeaseId("La"), "it ran out");

        assertThat(lost).hasMessage("lease La is dead: it ran out");
        assertThat(lost.lease()).isEqualTo(new LeaseId("La"));
        assertThat(lost.mayHaveApplied()).isFalse();
    }
}
