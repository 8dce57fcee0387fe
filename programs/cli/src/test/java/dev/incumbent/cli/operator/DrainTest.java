package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.LeaderTask;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.memory.FaultyWire;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code drain} against live elections over the reference store, on real threads and real time. */
@Tag("patient")
class DrainTest {
    private final OperatorRig rig = new OperatorRig(Duration.ofMinutes(1));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void allThatAHostLeadsIsHandedOverAndNothingElse() throws Exception {
        List<String> many = IntStream.range(0, 20).mapToObj(i -> "job" + i).toList();
        try (Elections a = rig.opened("a");
                Elections b = rig.opened("b");
                Elections c = rig.opened("c")) {
            many.forEach(name -> stand(a, name, OperatorRig.TASK));
            stand(c, "other", OperatorRig.TASK);
            OperatorRig.until(() -> rig.leader("other").equals("c"));
            stand(b, "other", OperatorRig.TASK);
            for (String name : many) {
                OperatorRig.until(() -> rig.leader(name).equals("a"));
                stand(b, name, OperatorRig.TASK);
            }
            for (String name : many) {
                OperatorRig.until(() -> rig.enlisted(name) == 2);
            }

            CommandRun run = rig.run("drain", "a");

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out().lines())
                    .hasSize(20)
                    .allSatisfy(line -> assertThat(line).matches("b@.* leads job\\d+, token 2, .*"));
            assertThat(run.err()).isEqualTo("incumbent: a leads nothing any more\n");
            many.forEach(name -> assertThat(rig.leader(name)).isEqualTo("b"));
            assertThat(rig.record("other").term()).as("c led it").isEqualTo(1);
            assertThat(rig.run("drain", "a").err()).isEqualTo("incumbent: a leads nothing\n");
        }
    }

    @Test
    void onlyWhatIsBeneathThePrefixIsHandedOver() throws Exception {
        try (Elections a = rig.opened("a");
                Elections b = rig.opened("b")) {
            for (String name : List.of("one/x", "two/x")) {
                stand(a, name, OperatorRig.TASK);
                OperatorRig.until(() -> rig.leader(name).equals("a"));
                stand(b, name, OperatorRig.TASK);
                OperatorRig.until(() -> rig.enlisted(name) == 2);
            }

            CommandRun run = rig.run("drain", "a", "one/", "-o", "json");

            assertThat(run.code()).as(run.err()).isZero();
            assertThat(run.out())
                    .startsWith("{\"host\":\"a\",\"elections\":[{\"election\":\"one/x\",\"outcome\":\"transferred\"")
                    .endsWith("],\"left\":[]}\n");
            assertThat(rig.leader("one/x")).isEqualTo("b");
            assertThat(rig.leader("two/x")).isEqualTo("a");
        }
    }

    @Test
    void whereNobodyElseStandsItLeadsOnAndIsNamedWith80() throws Exception {
        try (Elections a = rig.opened("a");
                Elections twin = rig.opened("a")) {
            stand(a, "job", OperatorRig.TASK);
            OperatorRig.until(() -> rig.leader("job").equals("a"));
            stand(twin, "job", OperatorRig.TASK);
            OperatorRig.until(() -> rig.enlisted("job") == 2);

            CommandRun text = rig.run("drain", "a");
            CommandRun json = rig.run("drain", "a", "-o", "json");

            assertThat(text.code()).isEqualTo(80);
            assertThat(text.out()).isEmpty();
            assertThat(text.err()).contains("job: nobody on another host stands, so a leads on", "a still leads job");
            assertThat(json.code()).isEqualTo(80);
            assertThat(json.out()).contains("\"outcome\":\"nobody-else\"", "\"left\":[\"job\"]");
            assertThat(rig.record("job").term()).isEqualTo(1);
        }
    }

    @Test
    void whatIsNotHandedOverInTimeIsNamedWith80() throws Exception {
        var stop = new CountDownLatch(1);
        try (Elections a = rig.opened("a");
                Elections b = rig.opened("b")) {
            stand(a, "job", leadership -> OperatorRig.awaitUninterrupted(stop));
            OperatorRig.until(() -> rig.leader("job").equals("a"));
            stand(b, "job", OperatorRig.TASK);
            OperatorRig.until(() -> rig.enlisted("job") == 2);
            try {
                CommandRun run = rig.run("drain", "a", "--timeout", "300ms");

                assertThat(run.code()).isEqualTo(80);
                assertThat(run.err()).contains("term 1 of job goes on under a@", "a still leads job");
            } finally {
                stop.countDown();
            }
        }
    }

    @Test
    void aHostOfWhichNobodyStandsIsNotSo() throws Exception {
        try (Elections a = rig.opened("a")) {
            stand(a, "job", OperatorRig.TASK);
            OperatorRig.until(() -> rig.leader("job").equals("a"));

            CommandRun run = rig.run("drain", "b");

            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("nobody of b leads or stands in any election here");
            assertThat(rig.leader("job")).isEqualTo("a");
        }
    }

    @Test
    void aCoordinatorThatIsNotReachedIsToldWith69() {
        rig.wire.suffer(FaultyWire.Fault.REFUSED);

        assertThat(rig.run("drain", "a").code()).isEqualTo(69);
    }

    private static void stand(Elections elections, String name, LeaderTask task) {
        elections.election(name).campaign(task);
    }
}
