package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.cli.frame.CommandRun;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code transfer --not-before} and {@code --cancel} against live elections over the reference store, on real threads and real time. */
@Tag("patient")
class PlannedTransferVerbTest {
    private final OperatorRig rig = new OperatorRig(Duration.ofMinutes(1));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aPlanIsToldOnceMoreAndTakenBack() throws Exception {
        try (Elections a = rig.opened("a");
                Elections b = rig.opened("b")) {
            rig.standInOrder("job", a, b);
            String then = "2126-01-01T00:00+01:00";

            CommandRun tooFar = rig.run("transfer", "job", "--to", "b", "--not-before", then);
            CommandRun planned = rig.run("transfer", "job", "--to", "b", "--not-before", "+1h");
            CommandRun other = rig.run("transfer", "job", "--to", "b", "--not-before", "+2h");
            CommandRun json = rig.run("transfer", "job", "--cancel", "-o", "json");
            CommandRun again = rig.run("transfer", "job", "--cancel");

            assertThat(tooFar.code()).isEqualTo(80);
            assertThat(tooFar.err()).isEqualTo("incumbent: job: 2125-12-31T23:00:00Z is more than 366 days ahead\n");
            assertThat(planned.code()).as(planned.err()).isZero();
            assertThat(planned.out()).matches("whoever leads job then hands over to b, not before .*Z\n");
            assertThat(planned.err()).isEmpty();
            assertThat(other.code()).isEqualTo(80);
            assertThat(other.err()).contains("is planned already, by");
            assertThat(json.out())
                    .matches("\\{\"election\":\"job\",\"outcome\":\"cancelled\",\"was\":\\{\"to\":\"b\",.*}}\n");
            assertThat(again.out()).isEqualTo("no transfer of job is planned\n");
            assertThat(again.code()).isZero();
            assertThat(rig.leader("job")).isEqualTo("a");
        }
    }

    @Test
    @Tag("realtime")
    void theLeaderDoesItWhenItsTimeHasCome() throws Exception {
        try (Elections a = rig.opened("a");
                Elections b = rig.opened("b")) {
            rig.standInOrder("job", a, b);

            assertThat(rig.run("transfer", "job", "--to", "b", "--not-before", "+2s")
                            .code())
                    .isZero();
            assertThat(rig.leader("job")).isEqualTo("a");

            OperatorRig.until(() -> rig.leader("job").equals("b"));
            assertThat(rig.record("job").planned()).isEmpty();
            assertThat(rig.record("job").history())
                    .singleElement()
                    .satisfies(past -> assertThat(past.reason()).hasToString("TRANSFERRED"));
        }
    }

    @Test
    void whatNobodyIsCalledIsPlannedAndSaid() throws Exception {
        try (Elections a = rig.opened("a")) {
            rig.standInOrder("job", a);

            CommandRun planned = rig.run("transfer", "job", "--to", "late", "--not-before", "+1h");

            assertThat(planned.code()).isZero();
            assertThat(planned.err())
                    .isEqualTo(
                            "incumbent: nobody called late stands in job now; unless one does then, nothing is done\n");
        }
    }

    @Test
    void whatIsNoTimeIsRefusedBeforeTheStoreIsAsked() {
        for (String time : new String[] {"tomorrow", "2026-11-28T02:00", "02:00", "+soon", "30m", "-30m", "", "+"}) {
            CommandRun run = rig.run("transfer", "job", "--to", "b", "--not-before", time);
            assertThat(run.code()).as(time).isEqualTo(64);
            assertThat(run.err()).as(time).contains("'" + time.replace("+", "") + "' is no ");
        }
        assertThat(rig.run("transfer", "job").code()).isEqualTo(64);
        assertThat(rig.run("transfer", "job", "--to", "").code()).isEqualTo(64);
        assertThat(rig.run("transfer", "job", "--to", "", "--cancel").code()).isEqualTo(64);
        assertThat(rig.run("transfer", "job", "--cancel", "--not-before", "").code())
                .isEqualTo(64);
        assertThat(rig.run("transfer", "job", "--to", "b", "--cancel").code()).isEqualTo(64);
        assertThat(rig.run("transfer", "job", "--cancel").code())
                .as("no such election")
                .isEqualTo(1);
    }
}
