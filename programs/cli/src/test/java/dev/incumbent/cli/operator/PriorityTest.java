package dev.incumbent.cli.operator;

import static dev.incumbent.cli.operator.OperatorRig.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Candidates of different priorities, moved by an operator, over the reference store in real time. */
@Tag("patient")
class PriorityTest {
    private final OperatorRig rig = new OperatorRig(Duration.ofMinutes(1));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void theGreatestLeadsAfterALeaderThatResignedAndDeposesNobody() throws Exception {
        try (Elections a = rig.opened("a", 0);
                Elections b = rig.opened("b", -5);
                Elections c = rig.opened("c", 5);
                Elections d = rig.opened("d", 10)) {
            rig.standInOrder("job", a, b, c, d);
            assertThat(rig.leader("job")).isEqualTo("a");
            assertThat(rig.record("job").term()).isEqualTo(1);

            assertThat(rig.run("resign", "job").out()).matches("term 1 of job is over, d@.* leads, token 2, .*\n");
            until(() -> rig.enlisted("job") == 4);
            assertThat(rig.run("cordon", "d", "--why", "disk").code()).isZero();
            assertThat(rig.run("resign", "job").out()).matches("term 2 of job is over, c@.* leads, token 3, .*\n");
            until(() -> rig.enlisted("job") == 4);
            assertThat(rig.run("transfer", "job", "--to", "b").out()).matches("b@.* leads job, token 4, .*\n");
        }
    }

    /** It stands behind another of a host that is not drained. */
    @Test
    void aDrainGoesToTheGreatestOnAnotherHost() throws Exception {
        try (Elections a = rig.opened("a", 0);
                Elections b = rig.opened("b", 0);
                Elections c = rig.opened("c", 1)) {
            rig.standInOrder("job", a, b, c);

            assertThat(rig.run("drain", "a").out()).matches("c@.* leads job, token 2, .*\n");
        }
    }
}
