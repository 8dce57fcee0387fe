package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Elections;
import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.memory.FaultyWire;
import dev.incumbent.model.Cordon;
import dev.incumbent.model.Cordons;
import dev.incumbent.model.Feature;
import dev.incumbent.model.LeaderRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code cordon} and {@code uncordon} against live elections over the reference store, on real threads and real time. */
@Tag("patient")
class CordonTest {
    private final OperatorRig rig = new OperatorRig(Duration.ofMinutes(1));

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aCordonedLeaderLeadsOnAndIsDrainedToOneThatIsNotCordoned() throws Exception {
        try (Elections a = rig.opened("a");
                Elections b = rig.opened("b");
                Elections c = rig.opened("c")) {
            rig.standInOrder("job", a, b, c);

            CommandRun first = rig.run("cordon", "a", "--why", "new disk");
            CommandRun second = rig.run("cordon", "b", "--why", "new disk");

            assertThat(first.code()).as(first.err()).isZero();
            assertThat(first.out()).isEqualTo("a is cordoned in job\n");
            assertThat(first.err()).isEmpty();
            assertThat(second.out()).isEqualTo("b is cordoned in job\n");
            assertThat(rig.leader("job")).isEqualTo("a");
            assertThat(rig.run("drain", "a").out()).matches("c@.* leads job, token 2, .*\n");
            assertThat(rig.record("job").cordons().all())
                    .extracting(Cordon::whom)
                    .containsExactly("a", "b");
        }
    }

    @Test
    void afterAResignationWhoIsNotCordonedLeadsAndElseWhoIs() throws Exception {
        try (Elections a = rig.opened("a");
                Elections b = rig.opened("b");
                Elections c = rig.opened("c")) {
            rig.standInOrder("job", a, b, c);
            rig.run("cordon", "b", "--why", "x");

            assertThat(rig.run("resign", "job").out()).matches("term 1 of job is over, c@.* leads, token 2, .*\n");
            OperatorRig.until(() -> rig.enlisted("job") == 3);
            rig.run("cordon", "a", "--why", "x");
            rig.run("cordon", "c", "--why", "x");
            assertThat(rig.run("resign", "job").out())
                    .as("all are cordoned: the usual order")
                    .matches("term 2 of job is over, b@.* leads, token 3, .*\n");
            OperatorRig.until(() -> rig.enlisted("job") == 3);
            rig.run("uncordon", "c");
            assertThat(rig.run("transfer", "job", "--to", "a").out())
                    .as("an operator asked for it")
                    .matches("a@.* leads job, token 4, .*\n");
            assertThat(rig.run("resign", "job").out())
                    .as("b stands before it")
                    .matches("term 4 of job is over, c@.* leads, token 5, .*\n");
        }
    }

    @Test
    void onlyWhatIsBeneathThePrefixIsCordonedAndAllOfIt() {
        List<String> many =
                IntStream.range(0, 40).mapToObj("one/%02d"::formatted).toList();
        many.forEach(name -> rig.plant(name, LeaderRecord.EMPTY));
        rig.plant("two", LeaderRecord.EMPTY);

        CommandRun json = rig.run("cordon", "h1", "one/", "--why", "disk", "-o", "json");

        assertThat(json.code()).as(json.err()).isZero();
        assertThat(json.err())
                .contains("nobody of h1 leads or stands in one/ here now; it is cordoned for when it comes");
        assertThat(json.out())
                .startsWith("{\"whom\":\"h1\",\"elections\":[{\"election\":\"one/00\",\"outcome\":\"cordoned\","
                        + "\"cordon\":{\"whom\":\"h1\",\"by\":\"")
                .contains("\",\"why\":\"disk\",\"at\":\"")
                .endsWith("\"},\"changed\":true}],\"left\":[]}\n");
        assertThat(many).allMatch(name -> rig.record(name).cordons().of("h1").isPresent());
        assertThat(rig.record("two").cordons().isEmpty()).isTrue();
        assertThat(rig.run("uncordon", "h1", "one/07", "-o", "json").out())
                .isEqualTo("{\"whom\":\"h1\",\"elections\":[{\"election\":\"one/07\",\"outcome\":\"uncordoned\","
                        + "\"whom\":\"h1\",\"changed\":true}],\"left\":[]}\n");
        assertThat(many.stream().filter(name -> rig.record(name).cordons().isEmpty()))
                .containsExactly("one/07");
    }

    @Test
    void whatIsCordonedOrUncordonedAlreadyStaysAndIsTold() {
        rig.plant("job", LeaderRecord.EMPTY);
        rig.run("cordon", "h1", "--why", "disk");

        CommandRun again = rig.run("cordon", "h1", "--why", "other");
        CommandRun none = rig.run("uncordon", "h2");

        assertThat(again.code()).isZero();
        assertThat(again.out()).matches("h1 is cordoned in job, as it was: by \\S+: disk\n");
        assertThat(none.code()).isZero();
        assertThat(none.out()).isEqualTo("h2 is not cordoned in job, as it was\n");
        assertThat(rig.run("cordon", "h1", "--why", "other", "-o", "json").out())
                .contains("\"changed\":false");
    }

    @Test
    void aFullRecordIsNotSoAndTheOthersAreCordoned() {
        rig.plant("full", LeaderRecord.EMPTY.withCordons(of(32)));
        rig.plant("job", LeaderRecord.EMPTY);

        CommandRun run = rig.run("cordon", "h1", "--why", "disk");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEqualTo("h1 is cordoned in job\n");
        assertThat(run.err())
                .contains("full: a record has at most 32 cordons, with this one it has 33", "not done in full");
        assertThat(rig.run("cordon", "h1", "full", "--why", "disk", "-o", "json")
                        .out())
                .contains("{\"election\":\"full\",\"outcome\":\"full\",\"why\":\"a record has", "\"left\":[\"full\"]");
    }

    @Test
    void aRecordThatRequiresWhatIsUnknownIsNotWrittenWith78() {
        rig.plant("new", LeaderRecord.EMPTY.withRequires(Set.of(new Feature("tide"))));
        rig.plant("old", LeaderRecord.EMPTY);

        CommandRun run = rig.run("cordon", "h1", "--why", "disk");

        assertThat(run.code()).isEqualTo(78);
        assertThat(run.out()).isEqualTo("h1 is cordoned in old\n");
        assertThat(run.err())
                .contains("new: the record requires features that this version does not know, [tide]")
                .contains("not done in new");
        assertThat(rig.record("new").cordons().isEmpty()).isTrue();
    }

    @Test
    void anElectionThatIsNotThereIsNotSoAndAPrefixWithNothingBeneathItIsEmpty() {
        CommandRun one = rig.run("cordon", "h1", "job", "--why", "disk");
        CommandRun lift = rig.run("uncordon", "h1", "job");
        CommandRun none = rig.run("cordon", "h1", "job/", "--why", "disk");

        assertThat(one.code()).isEqualTo(1);
        assertThat(one.err()).contains("there is no election job here: no record, and no candidate");
        assertThat(lift.code()).isEqualTo(1);
        assertThat(none.code()).isZero();
        assertThat(none.err()).contains("no election");
    }

    @Test
    void whatNoRecordCouldHoldIsRefusedBeforeAnythingIsAsked() {
        rig.wire.suffer(FaultyWire.Fault.REFUSED);

        CommandRun whom = rig.run("cordon", "h 1", "--why", "disk");
        CommandRun why = rig.run("cordon", "h1", "--why", "x".repeat(201));

        assertThat(whom.code()).isEqualTo(64);
        assertThat(whom.err()).contains("who is cordoned 'h 1' has a blank or control character at position 2");
        assertThat(why.code()).isEqualTo(64);
        assertThat(why.err()).contains("why of a cordon has at most 200 characters, this one has 201");
        assertThat(rig.run("uncordon", "h 1").code()).isEqualTo(64);
        assertThat(rig.run("cordon", "h1").code()).as("without --why").isEqualTo(64);
    }

    @Test
    void aCoordinatorThatIsNotReachedIsToldWith69() {
        rig.wire.suffer(FaultyWire.Fault.REFUSED);

        assertThat(rig.run("cordon", "h1", "--why", "disk").code()).isEqualTo(69);
        assertThat(rig.run("uncordon", "h1").code()).isEqualTo(69);
    }

    private static Cordons of(int count) {
        return Cordons.of(IntStream.range(0, count)
                .mapToObj(i -> new Cordon("n" + i, "carl", "", Instant.EPOCH))
                .toList());
    }
}
