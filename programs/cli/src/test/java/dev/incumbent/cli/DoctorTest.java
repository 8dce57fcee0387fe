package dev.incumbent.cli;

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

/** What {@code doctor} finds of stores and hosts, each provoked. What it finds of sinks stands in {@link SinkVerbsTest}. */
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
        String[] line = new String[more.length + 1];
        line[0] = "doctor";
        System.arraycopy(more, 0, line, 1, more.length);
        return office.runOver(differing, Map.of("XDG_STATE_HOME", state.toString()), line);
    }

    private CommandRun doctor(String... more) {
        return doctor(UnaryOperator.identity(), more);
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

        CommandRun doctor = doctor("other");

        assertThat(doctor.code()).isEqualTo(1);
        assertThat(doctor.out()).containsPattern("finding +fence +other has no sink on record");
    }

    @Test
    void aKeepAliveThatTakesHalfOfWhatALeaseAllowsIsAFinding() {
        CommandRun fast = doctor(slow(List.of(400, 400, 400, 400, 400)), "--lease", "15s");
        CommandRun slow = doctor(slow(List.of(1_000, 1_000, 1_000, 1_000, 1_000)), "--lease", "15s");

        assertThat(fast.out()).containsPattern("ok +round trip +the slowest of 5 keep-alives took 400 ms");
        assertThat(slow.out())
                .containsPattern(
                        "finding +round trip +the slowest of 5 keep-alives took 1000 ms, .*less than twice as much")
                .doesNotContainPattern("finding +load");
        assertThat(slow.code()).isEqualTo(1);
    }

    @Test
    void oneKeepAliveThatTakesTenTimesAsLongAsMostIsAFinding() {
        CommandRun even = doctor(slow(List.of(15, 15, 140, 15, 15)));
        CommandRun uneven = doctor(slow(List.of(15, 15, 160, 15, 15)));
        CommandRun quick = doctor(slow(List.of(2, 2, 90, 2, 2)));

        assertThat(even.out()).doesNotContainPattern("finding +load");
        assertThat(uneven.out()).containsPattern("finding +load +of 5 keep-alives most took 15 ms and one 160 ms");
        assertThat(quick.out()).doesNotContainPattern("finding +load");
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

        assertThat(doctor.out().contains("the wire was cut")).isNotEqualTo(kept);
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

        assertThat(doctor.out())
                .containsPattern("finding +clocks +in \\d+ ms of the monotonic clock the wall clock ran");
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

        assertThat(doctor.out())
                .containsPattern("finding +identity +job has candidate a@host-7-9f3c on two leases, one and two");
    }

    @ParameterizedTest
    @CsvSource({"10000, 15s, ok", "10001, 15s, finding", "20000, 15s, finding", "20000, 30s, ok"})
    void aLeaseThatALongPauseOfThisHostWouldEndIsAFinding(long millis, String lease, String kind) throws IOException {
        recorded(Instant.ofEpochMilli(timeline.wallMillis()) + " " + millis + " paused\nno pause\n");

        CommandRun doctor = doctor("--lease", lease);

        assertThat(doctor.out())
                .containsPattern(kind + " +pauses +the longest of 30 days on this host was " + millis + " ms");
        assertThat(doctor.out().contains("take one of at least 30000 ms"))
                .isEqualTo(millis == 20_000 && kind.equals("finding"));
    }

    @Test
    void aPauseOfLongAgoIsNoneAnyMore() throws IOException {
        recorded(Instant.ofEpochMilli(timeline.wallMillis()).minus(Duration.ofDays(31)) + " 20000 suspended\n");

        assertThat(doctor().out()).containsPattern("ok +pauses +no run of this user met one on this host in 30 days");
    }

    private void recorded(String lines) throws IOException {
        Files.createDirectories(state.resolve("incumbent"));
        Files.writeString(state.resolve("incumbent/pauses"), lines);
    }
}
