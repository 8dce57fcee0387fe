package dev.incumbent.cli;

import static dev.incumbent.cli.DoctorRuns.assertNothing;
import static dev.incumbent.cli.DoctorRuns.assertOnly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.VirtualTimeline;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code doctor} finds of an election's sinks and of who stands in it, and what it says where it finds nothing. */
class DoctorSinksTest {
    private static final Map<SinkId, String> LEDGER = Map.of(new SinkId("ledger-1"), "ledger");

    private final Office office = new Office(new VirtualTimeline());

    @TempDir
    Path state;

    @BeforeEach
    void aCandidate() {
        office.stand("job", "a");
    }

    private CommandRun doctor(String... more) {
        return new DoctorRuns(office, state).run(more);
    }

    @Test
    void aMarkThatAPersonRaisedAboveTheTermIsAFinding() {
        office.lead("job", "a");
        office.change("job", record -> record.withSinks(LEDGER));
        office.run("fence", "raise", "job", "--token", "7", "--sink", Office.SINK);

        assertOnly(
                doctor("--sink", Office.SINK),
                "marks",
                "job: record: term 1, .*; sink .*: mark 7 of operator:.*; a person raised it past its leader");
    }

    @Test
    void aSinkThatIsOpenDuringAFreezeIsAFindingAndOneThatIsClosedIsNone() {
        office.change("job", record -> record.withSinks(LEDGER));
        office.run("freeze", "job", "--why", "x");

        CommandRun open = doctor("--sink", Office.SINK);
        office.run("freeze", "job", "--why", "x", "--sink", Office.SINK);
        CommandRun closed = doctor("--sink", Office.SINK);

        assertOnly(open, "marks", "job: record: frozen by .*; sink .*: mark absent; freeze it again, with this sink");
        assertThat(closed.out()).containsPattern("ok +marks +job at .*: mark 2 of freeze:.*, term 0; closed");
        assertNothing(closed);
    }

    @Test
    void aSinkOfTheRecordThatNobodyBringsIsAFinding() {
        office.lead("job", "a");
        office.change("job", record -> record.withSinks(Map.of(new SinkId("old-1"), "ledger of before")));
        CommandRun led = doctor();
        CommandRun asked = doctor("job", "--sink", Office.SINK);
        office.vacate("job", EndReason.RESIGNED);
        office.withdraw("job", "a");

        CommandRun deserted = doctor();

        assertNothing(led);
        assertOnly(
                asked,
                "sinks",
                "job: .*ledger of before \\(id old-1\\); give each by --sink, or retire it: incumbent fence retire job"
                        + " --sink-id old-1");
        assertOnly(deserted, "sinks", "job has no candidate, and the record names sinks");
    }

    @Test
    void anElectionThatThereIsNotIsAFinding() {
        assertOnly(doctor("nosuch"), "election", "there is no election nosuch");
    }

    @Test
    void aFreezeThatTheCoordinatorHasForgottenIsAFinding() {
        office.change("job", record -> record.withSinks(LEDGER));
        office.run("freeze", "job", "--why", "x", "--sink", Office.SINK);
        office.change("job", record -> record.withFreeze(Optional.empty()));

        assertOnly(
                doctor("--sink", Office.SINK),
                "marks",
                "job: record: term 0, .*; sink .*: mark 1 of freeze:.*; freeze it again, with this sink, then thaw it");
    }

    @Test
    void twoCandidatesOfOneNameAreAFinding() {
        office.change("job", record -> record.withSinks(LEDGER));
        office.stand("job", new Candidate(new CandidateId("a@elsewhere-1-77"), "a", ""));

        assertOnly(doctor(), "identity", "job has two candidates named a");
    }

    @Test
    void aFindingInJson() {
        office.change("job", record -> record.withSinks(LEDGER));

        assertThat(doctor("--lease", "200ms", "-o", "json").out())
                .contains("\"findings\":1,")
                .contains("\"kind\":\"finding\",\"check\":\"lease\",\"sentence\":\"unsafe timing: ");
    }

    @Test
    void aLeaseIsTakenAndGivenBackAndClocksAreCompared() {
        office.change("job", record -> record.withFreeze(Optional.of(new Freeze("ada", "x", Office.NOON, 1))));

        CommandRun doctor = doctor();

        assertThat(doctor.out())
                .containsPattern("ok +lease +a lease of 15000 ms was asked for, and one of 15000 ms is granted")
                .containsPattern("ok +round trip +the slowest of 5 keep-alives")
                .containsPattern("ok +clocks +in 0 ms of the monotonic clock the wall clock ran 0 ms");
        assertOnly(doctor, "fence", "job has no sink on record: .*incumbent fence install --sink URL");
    }

    @Test
    void whereNobodyStandsNothingIsWritten() {
        Office empty = new Office(new VirtualTimeline());

        CommandRun doctor = new DoctorRuns(empty, state).run();

        assertThat(doctor.out()).containsPattern("note +permissions +no election is known here");
        assertNothing(doctor);
        assertThat(empty.run("status").err()).contains("no election");
    }
}
