package dev.incumbent.cli;

import static dev.incumbent.cli.DoctorRuns.assertNothing;
import static dev.incumbent.cli.DoctorRuns.assertOnly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.VirtualTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code doctor --sink} says of the marks of a sink: by the comparison that raises the agent's alarms. */
class DoctorMarksTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final SinkId LEDGER = new SinkId("ledger-1");

    private final VirtualTimeline timeline = new VirtualTimeline();
    private final Office office = new Office(timeline);

    @TempDir
    Path state;

    @BeforeEach
    void aFencedElection() {
        office.stand("job", "a");
        office.change("job", record -> record.withSinks(Map.of(LEDGER, "ledger")));
        office.lead("job", "a");
    }

    @Test
    void aMarkThatIsTheTermsIsWell() {
        raise(1, "a");
        CommandRun doctor = doctor();

        assertThat(doctor.out())
                .containsPattern("ok +marks +job at memory:ledger-1: mark 1 of candidate:a@.*, term 1\n");
        assertNothing(doctor);
    }

    @Test
    void aMarkAboveTheRecordIsAFinding() {
        raise(5, "b");
        assertOnly(
                doctor(),
                "marks",
                "job: record: term 1, led by a@.*; sink memory:ledger-1: mark 5 of candidate:b@.*; the coordinator was"
                        + " restored to an older copy, or two");
    }

    @Test
    void aMarkOfAnotherThanTheTermsLeaderIsAFinding() {
        raise(1, "b");
        assertOnly(doctor(), "marks", "job: record: term 1 of a@.*mark 1 of candidate:b@.*; two coordinators");
    }

    /** The record of the first read is older than the mark. */
    @Test
    void aClaimBetweenTheReadsIsNoFinding() {
        raise(1, "a");
        CommandRun doctor = doctor(inner -> new ForwardingCoordinator(inner) {
            private boolean hasRead;

            @Override
            public CompletionStage<Map<ElectionName, Reading>> read(Set<ElectionName> elections) {
                CompletionStage<Map<ElectionName, Reading>> before = inner().read(elections);
                if (!hasRead && elections.contains(JOB)) {
                    hasRead = true;
                    before.toCompletableFuture().join();
                    office.lead("job", "a");
                    raise(2, "a");
                }
                return before;
            }
        });

        assertThat(doctor.out())
                .containsPattern("ok +marks +job at memory:ledger-1: mark 2 of candidate:a@.*, term 2\n")
                .doesNotContainPattern("note +marks");
        assertNothing(doctor);
    }

    @Test
    void aSinkThatALeaderMayBeAboutToRaiseIsNoted() {
        raise(1, "a");
        office.lead("job", "a");

        CommandRun doctor = doctor();

        assertThat(doctor.out())
                .containsPattern("note +marks +job: record: term 2, .*mark 1 of .*is about to raise it");
        assertNothing(doctor);
    }

    @Test
    void aSinkOnRecordThatWasNeverRaisedIsAFinding() {
        assertOnly(doctor(), "marks", "job: record: term 1, .*mark absent");
    }

    @Test
    void aFreezeAndItsSinksAreCompared() {
        raise(1, "a");
        office.change("job", record -> record.withFreeze(Optional.of(new Freeze("ann", "why", Office.NOON, 2))));
        assertOnly(doctor(), "marks", "job: record: frozen by ann, number 2; .*mark 1 of");

        raise(new Mark(new FencingToken(2), MarkOwner.ofFreeze("ann")));
        CommandRun closed = doctor();
        assertThat(closed.out())
                .containsPattern("ok +marks +job at .*mark 2 of freeze:ann, term 1; closed by a freeze");
        assertNothing(closed);

        office.change("job", record -> record.withFreeze(Optional.empty()));
        assertOnly(doctor(), "marks", "job: record: term 1, .*mark 2 of freeze:ann; freeze it");
    }

    @Test
    void sinksThatDoNotCountAreNoted() {
        raise(5, "b");
        office.change("job", record -> record.withRetiredSinks(Set.of(LEDGER)));
        assertThat(doctor().out()).containsPattern("note +marks +job at .*; this sink is retired");

        office.change(
                "job",
                record -> record.withRetiredSinks(Set.of()).withSinks(Map.of()).vacated(5, Office.NOON));
        assertThat(doctor().out()).containsPattern("note +marks +job at .*; the sink has a mark and is not on record");
    }

    private void raise(long token, String name) {
        raise(new Mark(
                new FencingToken(token),
                MarkOwner.ofCandidate(Office.candidate(name).id())));
    }

    private void raise(Mark mark) {
        new MemorySink(office.ledger, timeline, Duration.ofSeconds(1))
                .raise(JOB, mark)
                .toCompletableFuture()
                .join();
    }

    private CommandRun doctor() {
        return doctor(UnaryOperator.identity());
    }

    private CommandRun doctor(UnaryOperator<Coordinator> differing) {
        return new DoctorRuns(office, state).over(differing, "job", "--sink", Office.SINK);
    }
}
