package dev.incumbent.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Five processes whose ranks, cordons and health change all the time, while nothing fails. */
class OrderlyHoursTest {
    @Test
    void somebodyLeadsWhereverAWellCandidateStandsAndMovesOnceForEachChange() {
        OrderlyHours.Result result = new OrderlyHours(0x0796).run(6, 2);

        assertThat(result.violations()).isEmpty();
        assertThat(result.milestones())
                .containsKeys(
                        Milestone.MOVED_TO_BETTER,
                        Milestone.TRANSFER_PLANNED,
                        Milestone.PLAN_DONE,
                        Milestone.CORDONED_AND_LEADS,
                        Milestone.LEADS_BY_PRIORITY,
                        Milestone.LEADS_WITH_A_VERSION,
                        Milestone.UNHEALTHY_LEADER);
    }

    @Test
    @Tag("trial")
    void soForAMonth() {
        OrderlyHours.Result result =
                new OrderlyHours(0x0797).run(720, Runtime.getRuntime().availableProcessors());

        assertThat(result.violations()).isEmpty();
    }
}
