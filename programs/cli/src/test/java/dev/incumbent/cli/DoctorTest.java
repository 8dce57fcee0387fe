package dev.incumbent.cli;

import static dev.incumbent.cli.DoctorRuns.assertNothing;
import static dev.incumbent.cli.DoctorRuns.assertOnly;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.frame.CommandRun;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.ForwardingCoordinator;
import dev.incumbent.coordinator.GrantedLease;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Feature;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.VirtualTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code doctor} finds of stores, hosts and records: each is provoked through the verb, and is all that it finds. What it finds of sinks stands in {@link DoctorSinksTest} and {@link DoctorMarksTest}. */
class DoctorTest {
    private final VirtualTimeline timeline = new VirtualTimeline();
    private final Office office = new Office(timeline);

    @TempDir
    Path state;

    @BeforeEach
    void aFencedElection() {
        office.stand("job", "a");
        office.change("job", record -> record.withSinks(Map.of(new SinkId("ledger-1"), "ledger")));
        office.run("fence", "raise", "job", "--token", "1", "--sink", Office.SINK);
        office.lead("job", "a");
    }

    private CommandRun doctor(UnaryOperator<Coordinator> differing, String... more) {
        return new DoctorRuns(office, state).over(differing, more);
    }

    private CommandRun doctor(String... more) {
        return new DoctorRuns(office, state).run(more);
    }

    @Test
    void whereNothingIsWrongNothingIsFoundAndTheExitCodeIs0() {
        assertNothing(doctor());
        assertNothing(doctor("job", "--sink", Office.SINK, "--lease", "6s"));
        assertThat(doctor("-o", "json").out()).contains("\"findings\":0,");
    }

    @Test
    void anElectionWhoseRecordNamesASinkIsFenced() {
        CommandRun doctor = doctor("--sink", Office.SINK);

        assertThat(doctor.out())
                .doesNotContainPattern(" fence ")
                .containsPattern("ok +election +job stands at term 1 with 1 candidates");
    }

    @Test
    void anElectionWithoutASinkIsAFinding() {
        office.stand("other", "a");
        office.lead("other", "a");

        assertOnly(doctor("other"), "fence", "other has no sink on record");
        assertOnly(doctor(), "fence", "other has no sink on record");
    }

    @Test
    void aKeepAliveThatTakesHalfOfWhatALeaseAllowsIsAFinding() {
        CommandRun fast = doctor(slow(List.of(400, 400, 400, 400, 400)), "--lease", "15s");
        CommandRun slow = doctor(slow(List.of(1_000, 1_000, 1_000, 1_000, 1_000)), "--lease", "15s");

        assertThat(fast.out()).containsPattern("ok +round trip +the slowest of 5 keep-alives took 400 ms");
        assertNothing(fast);
        assertOnly(slow, "round trip", "the slowest of 5 keep-alives took 1000 ms, .*less than twice as much");
    }

    @Test
    void oneKeepAliveThatTakesTenTimesAsLongAsMostIsAFinding() {
        CommandRun even = doctor(slow(List.of(15, 15, 140, 15, 15)));
        CommandRun uneven = doctor(slow(List.of(15, 15, 160, 15, 15)));
        CommandRun quick = doctor(slow(List.of(2, 2, 90, 2, 2)));

        assertNothing(even);
        assertOnly(uneven, "load", "of 5 keep-alives most took 15 ms and one 160 ms");
        assertNothing(quick);
    }

    @ParameterizedTest
    @CsvSource({"etcd.example, false", "localhost, true"})
    void aCoordinatorBesideATooBusyProcessorIsAFinding(String host, boolean isHere) throws IOException {
        Path proc = state.resolve("busy");
        Path unused = Files.createDirectories(proc.resolve("pressure"));
        Files.writeString(proc.resolve("pressure/cpu"), "some avg10=61.20 avg60=1.00 avg300=1.00 total=5\n");

        CommandRun doctor =
                new DoctorRuns(office, state).whereTheKernelTells(proc, "--at", "memory://" + host + "/office");

        if (isHere) {
            assertOnly(doctor, "load", "the coordinator is on this machine, where tasks waited .* in 61 % of the last");
        } else {
            assertNothing(doctor);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/proc/version"})
    void aMachineWithoutASupervisorIsAFinding(String path) {
        assertOnly(
                new DoctorRuns(office, state).withSupervisor(path),
                "supervisor",
                "there is none" + (path.isEmpty() ? "" : " at " + path) + ", so 'run' is refused; it is built where");
    }

    @Test
    void aStoreThatMayForgetIsAFinding() {
        assertOnly(
                doctor(BestEffortTest::forgetting),
                "coordinator",
                "it may forget what it acknowledged: safe only where every sink is fenced");
    }

    @Test
    void aStoreThatGrantsNoLeaseIsAFinding() {
        CommandRun doctor = doctor(inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<GrantedLease> grant(CandidateId owner, Duration length) {
                return CompletableFuture.failedStage(new CoordinatorException("you may read only", false));
            }
        });

        assertOnly(doctor, "permissions", "no lease can be taken: you may read only");
    }

    @Test
    void aLeaseThatIsShorterThanAskedForIsAFinding() {
        CommandRun doctor = doctor(inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<GrantedLease> grant(CandidateId owner, Duration length) {
                return inner().grant(owner, length)
                        .thenApply(lease -> new GrantedLease(lease.id(), Duration.ofSeconds(3)));
            }
        });

        assertOnly(doctor, "lease", "a lease of 15000 ms was asked for, and one of 3000 ms is granted; ");
    }

    @Test
    void aLeaseThatItsOwnRulesDoNotFitIsAFinding() {
        assertOnly(doctor("--lease", "200ms"), "lease", "unsafe timing: ");
    }

    @Test
    void aRecordThatCannotBeReadIsAFinding() {
        office.store.plantUnreadable(new ElectionName("job"), "a later format");

        assertOnly(doctor(), "record", "job is .*a later format");
    }

    @Test
    void aRecordThatRequiresWhatIsUnknownIsAFinding() {
        office.change("job", record -> record.withRequires(Set.of(new Feature("tide"))));

        assertOnly(doctor(), "features", "job requires \\[tide\\], and this version does not know \\[tide\\]");
    }

    /** It would count against the store's limit, and be swept by others, until it has run out. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLeaseThatIsTriedIsGivenBackWhetherItWasKeptOrNot(boolean kept) {
        List<LeaseId> taken = new ArrayList<>();
        List<LeaseId> givenBack = new ArrayList<>();

        CommandRun doctor = doctor(inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<GrantedLease> grant(CandidateId owner, Duration length) {
                return inner().grant(owner, length).whenComplete((lease, failure) -> taken.add(lease.id()));
            }

            @Override
            public CompletionStage<Void> keepAlive(LeaseId lease) {
                return kept
                        ? inner().keepAlive(lease)
                        : CompletableFuture.failedStage(new CoordinatorException("the wire was cut", true));
            }

            @Override
            public CompletionStage<Void> revoke(LeaseId lease) {
                givenBack.add(lease);
                return inner().revoke(lease);
            }
        });

        if (kept) {
            assertNothing(doctor);
        } else {
            assertOnly(doctor, "permissions", "no lease can be taken: .*the wire was cut");
        }
        assertThat(givenBack).hasSize(1).isEqualTo(taken);
    }

    private UnaryOperator<Coordinator> slow(List<Integer> millis) {
        Iterator<Integer> next = millis.iterator();
        return inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<Void> keepAlive(LeaseId lease) {
                timeline.advance(Duration.ofMillis(next.next()));
                return inner().keepAlive(lease);
            }
        };
    }

    @ParameterizedTest
    @CsvSource({
        "1, note, one server votes",
        "2, finding, '2 servers vote, of which 0 may be lost, as of 1'",
        "3, ok, '3 servers vote, of which 1 may be lost'",
        "4, finding, '4 servers vote, of which 1 may be lost, as of 3'",
        "5, ok, '5 servers vote, of which 2 may be lost'",
        "7, ok, '7 servers vote, of which 3 may be lost'",
        "9, finding, '9 servers vote, of which 4 may be lost; more than 7'"
    })
    void aNumberOfServersThatFitsNoMajorityIsAFinding(int members, String kind, String sentence) {
        CommandRun doctor = doctor(inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<OptionalInt> memberCount() {
                return CompletableFuture.completedStage(OptionalInt.of(members));
            }
        });

        assertThat(doctor.out()).containsPattern(kind + " +members +" + sentence);
        assertFound(kind, doctor, "members");
    }

    @Test
    void aStoreThatDoesNotTellItsServersIsNotJudged() {
        CommandRun refusing = doctor(inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<OptionalInt> memberCount() {
                return CompletableFuture.failedStage(new CoordinatorException("no right to ask", false));
            }
        });

        assertThat(doctor().out()).doesNotContain("members");
        assertThat(refusing.out()).containsPattern("note +members +.*no right to ask");
        assertNothing(refusing);
    }

    @ParameterizedTest
    @CsvSource({"3000, finding", "-3000, finding", "900, ok", "-900, ok"})
    void aStoreWhoseClockIsApartIsAFinding(long millis, String kind) {
        CommandRun doctor = doctor(inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<Optional<Instant>> clock() {
                return CompletableFuture.completedStage(
                        Optional.of(Instant.ofEpochMilli(timeline.wallMillis() + millis)));
            }
        });

        assertThat(doctor.out()).containsPattern(kind + " +clocks +the store's wall clock is " + millis + " ms from");
        assertFound(kind, doctor, "clocks");
    }

    @Test
    void clocksThatRunApartAreAFinding() {
        CommandRun doctor = doctor(inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<List<ElectionName>> elections(String prefix) {
                timeline.advance(Duration.ofSeconds(1));
                timeline.stepWall(Duration.ofMillis(40));
                return inner().elections(prefix);
            }
        });

        assertOnly(doctor, "clocks", "in \\d+ ms of the monotonic clock the wall clock ran");
    }

    @Test
    void aCandidateOnTwoLeasesIsAFinding() {
        Candidate twice = new Candidate(CandidateId.of("a", "host", 7, "9f3c"), "a", "");
        CommandRun doctor = doctor(inner -> new ForwardingCoordinator(inner) {
            @Override
            public CompletionStage<Map<ElectionName, List<Enlisted>>> candidates(Set<ElectionName> elections) {
                List<Enlisted> both = List.of(
                        new Enlisted(twice, new LeaseId("one"), Office.NOON, Set.of()),
                        new Enlisted(twice, new LeaseId("two"), Office.NOON, Set.of()));
                return CompletableFuture.completedStage(Map.of(new ElectionName("job"), both));
            }
        });

        assertOnly(doctor, "identity", "job has candidate a@host-7-9f3c on two leases, one and two");
    }

    @ParameterizedTest
    @CsvSource({"10000, 15s, ok", "10001, 15s, finding", "20000, 15s, finding", "20000, 30s, ok"})
    void aLeaseThatALongPauseOfThisHostWouldEndIsAFinding(long millis, String lease, String kind) throws IOException {
        recorded(Instant.ofEpochMilli(timeline.wallMillis()) + " " + millis + " paused\nno pause\n");

        CommandRun doctor = doctor("--lease", lease);

        assertThat(doctor.out())
                .containsPattern(kind + " +pauses +the longest of 30 days on this host was " + millis + " ms");
        assertFound(kind, doctor, "pauses");
        assertThat(doctor.out().contains("take one of at least 30000 ms"))
                .isEqualTo(millis == 20_000 && kind.equals("finding"));
    }

    @Test
    void aPauseOfLongAgoIsNoneAnyMore() throws IOException {
        recorded(Instant.ofEpochMilli(timeline.wallMillis()).minus(Duration.ofDays(31)) + " 20000 suspended\n");

        assertThat(doctor().out()).containsPattern("ok +pauses +no run of this user met one on this host in 30 days");
    }

    /** As where a home folder lies on a server. */
    @Test
    void aPauseOfAnotherHostIsNoneOfThisOne() throws IOException {
        recorded(Instant.ofEpochMilli(timeline.wallMillis()) + " 20000 suspended of-another-name\n");

        CommandRun doctor = doctor();

        assertThat(doctor.out()).containsPattern("ok +pauses +no run of this user met one on this host in 30 days");
        assertNothing(doctor);
    }

    /** That kind, of that check alone where it is a finding. */
    private static void assertFound(String kind, CommandRun doctor, String check) {
        if (kind.equals("finding")) {
            assertOnly(doctor, check, "");
        } else {
            assertNothing(doctor);
        }
    }

    private void recorded(String lines) throws IOException {
        Files.createDirectories(state.resolve("incumbent"));
        Files.writeString(state.resolve("incumbent/pauses"), lines);
    }
}
