package dev.incumbent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SinkVerbsTest {
    private final VirtualTimeline timeline = new VirtualTimeline();
    private final Office office = new Office(timeline);

    @Test
    void aMarkIsRaisedByHandAndTold() {
        CommandRun raise = office.run("fence", "raise", "job", "--token", "7", "--sink", Office.SINK);
        CommandRun status = office.run("fence", "status", "--sink", Office.SINK, "-o", "json");

        assertThat(raise.code()).isZero();
        assertThat(status.out())
                .contains("\"id\":\"ledger-1\",\"marks\":[{\"election\":\"job\",\"token\":7,\"owner\":\"operator:");
    }

    @Test
    void aRaiseBelowTheMarkIsRefusedWithBothNumbers() {
        office.run("fence", "raise", "job", "--token", "7", "--sink", Office.SINK);

        CommandRun raise = office.run("fence", "raise", "job", "--token", "6", "--sink", Office.SINK);

        assertThat(raise.code()).isEqualTo(81);
        assertThat(raise.err()).contains("token 6 of job is refused").contains("the mark in force is 7 of operator:");
    }

    @Test
    void aRaiseThatIsATypoIsRefused() {
        CommandRun raise = office.run("fence", "raise", "job", "--token", "9000000000000000000", "--sink", Office.SINK);

        assertThat(raise.code()).isEqualTo(81);
        assertThat(raise.err()).contains("more than 4294967296 above the mark, which is 0");
    }

    @Test
    void aSinkThatNobodyOpensIsNamedWithWhatIsKnown() {
        CommandRun status = office.run("fence", "status", "--sink", "ftp://me:secret@host/x");

        assertThat(status.code()).isEqualTo(78);
        assertThat(status.err())
                .isEqualTo("incumbent: no sink opens --sink 'ftp://***@host/x'; known URLs begin with memory:ledger\n");
    }

    @Test
    void aTableIsGuardedOnlyForAnElection() {
        CommandRun install = office.run("fence", "install", "--sink", Office.SINK, "--table", "ledger");

        assertThat(install.code()).isEqualTo(64);
        assertThat(install.err()).contains("--table is ledger, --election is missing");
    }

    @Test
    void installTellsWhatTheCoordinatorPromises() {
        assertThat(office.run("install").out())
                .isEqualTo("memory:office is ready: linearizable; shortest lease 1ms; timed by the server's clock\n");
    }

    @Test
    void doctorFindsAMarkAboveTheTerm() {
        office.stand("job", "a");
        office.lead("job", "a");
        office.change("job", record -> record.withSinks(Map.of(new SinkId("ledger-1"), "ledger")));
        office.run("fence", "raise", "job", "--token", "7", "--sink", Office.SINK);

        CommandRun doctor = office.run("doctor", "--sink", Office.SINK);

        assertThat(doctor.code()).isEqualTo(1);
        assertThat(doctor.out())
                .containsPattern(
                        "finding +marks +job: record: term 1, .*; sink .*: mark 7 of operator:.*; a person raised it past its leader");
    }

    @Test
    void doctorFindsASinkThatIsOpenDuringAFreezeAndNoneThatIsClosed() {
        office.stand("job", "a");
        office.change("job", record -> record.withSinks(Map.of(new SinkId("ledger-1"), "ledger")));
        office.run("freeze", "job", "--why", "x");

        CommandRun open = office.run("doctor", "--sink", Office.SINK);
        office.run("freeze", "job", "--why", "x", "--sink", Office.SINK);
        CommandRun closed = office.run("doctor", "--sink", Office.SINK);

        assertThat(open.out())
                .containsPattern(
                        "finding +marks +job: record: frozen by .*; sink .*: mark absent; freeze it again, with this sink");
        assertThat(closed.out()).containsPattern("ok +marks +job at .*: mark 2 of freeze:.*, term 0; closed");
    }

    @Test
    void doctorFindsASinkOfTheRecordThatNobodyBrings() {
        office.stand("job", "a");
        office.lead("job", "a");
        office.change("job", record -> record.withSinks(Map.of(new SinkId("old-1"), "ledger of before")));
        CommandRun led = office.run("doctor");
        CommandRun asked = office.run("doctor", "job", "--sink", Office.SINK);
        office.vacate("job", EndReason.RESIGNED);
        office.withdraw("job", "a");

        CommandRun deserted = office.run("doctor");

        assertThat(led.out()).doesNotContain("ledger of before");
        assertThat(asked.code()).isEqualTo(1);
        assertThat(deserted.code()).isEqualTo(1);
        assertThat(asked.out())
                .contains(
                        "ledger of before (id old-1); give each by --sink, or retire it: incumbent fence retire job --sink-id old-1");
        assertThat(deserted.out()).containsPattern("finding +sinks +job has no candidate, and the record names sinks");
    }

    @Test
    void doctorFindsAnElectionThatThereIsNot() {
        assertThat(office.run("doctor", "nosuch").out())
                .containsPattern("finding +election +there is no election nosuch");
    }

    @Test
    void doctorFindsAFreezeThatTheCoordinatorHasForgotten() {
        office.stand("job", "a");
        office.run("freeze", "job", "--why", "x", "--sink", Office.SINK);
        office.change("job", record -> record.withFreeze(Optional.empty()));

        CommandRun doctor = office.run("doctor", "--sink", Office.SINK);

        assertThat(doctor.out())
                .containsPattern(
                        "finding +marks +job: record: term 0, .*; sink .*: mark 1 of freeze:.*; freeze it again, with this sink, then thaw it");
    }

    @Test
    void doctorFindsTwoCandidatesOfOneName() {
        office.stand("job", "a");
        office.stand("job", new dev.incumbent.model.Candidate(new CandidateId("a@elsewhere-1-77"), "a", ""));

        assertThat(office.run("doctor").out()).containsPattern("finding +identity +job has two candidates named a");
    }

    @Test
    void doctorFindsALeaseThatIsTooShortForItsOwnRules() {
        office.stand("job", "a");

        CommandRun doctor = office.run("doctor", "--lease", "200ms", "-o", "json");

        assertThat(doctor.out()).contains("\"kind\":\"finding\",\"check\":\"lease\",\"sentence\":\"unsafe timing: ");
    }

    @Test
    void doctorTakesAndGivesBackALeaseAndComparesClocks() {
        office.stand("job", "a");
        office.change("job", record -> record.withFreeze(Optional.of(new Freeze("ada", "x", Office.NOON, 1))));

        CommandRun doctor = office.run("doctor");

        assertThat(doctor.out())
                .containsPattern("ok +lease +a lease of 15000 ms was asked for, and one of 15000 ms is granted")
                .containsPattern("ok +round trip +the slowest of 5 keep-alives")
                .containsPattern("ok +clocks +in 0 ms of the monotonic clock the wall clock ran 0 ms")
                .containsPattern("finding +fence +job has no sink on record: .*incumbent fence install --sink URL");
        assertThat(doctor.code()).isEqualTo(1);
    }

    @Test
    void doctorWritesNothingWhereNobodyStands() {
        CommandRun doctor = office.run("doctor");

        assertThat(doctor.out()).containsPattern("note +permissions +no election is known here");
        assertThat(office.run("status").err()).contains("no election");
        timeline.advance(Duration.ofSeconds(1));
    }
}
