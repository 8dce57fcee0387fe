package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.agent.alarms.AlarmRegister;
import dev.incumbent.agent.alarms.ConflictAlarm;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import dev.incumbent.telling.conflict.ConflictKind;
import dev.incumbent.telling.conflict.MetMark;
import dev.incumbent.telling.conflict.StaleWrite;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What is looked at, in which order, how often, and what becomes of it. In virtual time; the answers are given by hand. */
class AlarmWatchTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Candidate A = new Candidate(new CandidateId("a@host"), "a", "");
    private static final Candidate B = new Candidate(new CandidateId("b@host"), "b", "");
    private static final Duration CYCLE = Duration.ofSeconds(5);

    private final VirtualTimeline time = new VirtualTimeline();
    private final Strand strand = new Strand(time);
    private final Host host = new Host();
    private final AlarmRegister register = new AlarmRegister(10, Duration.ofSeconds(15), List.of(), alarm -> {});
    private final AlarmWatch watch = new AlarmWatch(strand, host, register, CYCLE, false);

    /** What this host stands in, and what its stores say. */
    private static final class Host implements AlarmWatch.Subjects {
        final NavigableSet<ElectionName> stoodIn = new TreeSet<>();
        final Map<ElectionName, Term> held = new TreeMap<>();
        final Map<ElectionName, LeaderRecord> records = new TreeMap<>();
        final Map<ElectionName, Mark> marks = new TreeMap<>();
        final List<String> asked = new ArrayList<>();
        /** What happens between the two requests of a look. */
        Runnable between = () -> {};
        /** Instead of an answer. */
        Optional<CompletionStage<Map<ElectionName, Reading>>> answer = Optional.empty();
        /** Before the marks are answered. */
        Runnable atMarks = () -> {};
        /** Instead of an answer of the sinks. */
        Optional<CompletionStage<List<SinkMarks>>> marksAnswer = Optional.empty();

        /** Before a guard is asked again. */
        Consumer<ElectionName> heldAfter = name -> {};

        boolean isSinkSilent;

        @Override
        public NavigableSet<ElectionName> stoodIn() {
            return stoodIn;
        }

        @Override
        public Optional<Term> held(ElectionName election) {
            if (asked.size() > 1) {
                heldAfter.accept(election);
            }
            return Optional.ofNullable(held.get(election));
        }

        @Override
        public CompletionStage<List<SinkMarks>> marks(NavigableSet<ElectionName> elections) {
            asked.add("marks of " + elections.size());
            atMarks.run();
            if (marksAnswer.isPresent()) {
                return marksAnswer.get();
            }
            List<SinkMarks> read = List.of(new SinkMarks(new SinkId("ledger"), "ledger", MarksRead.of(marks)));
            return CompletableFuture.completedStage(isSinkSilent ? List.of() : read);
        }

        @Override
        public CompletionStage<Map<ElectionName, Reading>> records(NavigableSet<ElectionName> elections) {
            between.run();
            asked.add("records from " + elections.first());
            Map<ElectionName, Reading> read = new TreeMap<>();
            records.forEach((name, record) -> read.put(
                    name,
                    new Reading.Found(new ObservedRecord(
                            record, new Revision("r"), record.leader().isPresent(), Optional.empty()))));
            return answer.orElseGet(() -> CompletableFuture.completedStage(read));
        }
    }

    @Test
    void anElectionIsLookedAtOnceInACycleTheMarksFirst() {
        stand(led(7, A), 7);
        watch.begin();
        time.advance(Duration.ofMillis(4_999));
        assertThat(host.asked).isEmpty();
        time.advance(Duration.ofMillis(1));
        assertThat(host.asked).containsExactly("marks of 1", "records from job");
        time.advance(Duration.ofSeconds(20));

        assertThat(host.asked).hasSize(2 * 5);
        assertThat(register.list().open()).isEmpty();
    }

    @Test
    void aMarkAboveTheRecordIsAnAlarmAtTheNextLookAndIsOverOnceTheRecordIsAbove() {
        stand(led(7, A), 9);
        watch.begin();
        time.advance(CYCLE);
        assertThat(kinds()).containsExactly(ConflictKind.MARK_ABOVE_RECORD);

        stand(led(10, A), 10);
        time.advance(CYCLE);
        assertThat(kinds()).isEmpty();
        assertThat(register.list().over()).hasSize(1);
    }

    /** It would be one if the record were read first. */
    @Test
    void aClaimAndItsRaiseBetweenTheTwoReadsAreNoConflict() {
        stand(led(7, A), 7);
        host.between = () -> stand(led(8, B), 8);
        watch.begin();
        time.advance(CYCLE);

        assertThat(kinds()).isEmpty();
    }

    @Test
    void aTermCountsAsHeldOnlyWhereItWasHeldBeforeAndAfter() {
        stand(led(8, B), 8);
        host.held.put(JOB, new Term(JOB, 7, A));
        host.between = host.held::clear;
        watch.begin();
        time.advance(CYCLE);
        assertThat(kinds()).as("it was given up meanwhile").isEmpty();

        host.between = () -> host.held.put(JOB, new Term(JOB, 8, A));
        host.held.put(JOB, new Term(JOB, 7, A));
        time.advance(CYCLE);
        assertThat(kinds()).as("it is another one").isEmpty();

        host.between = () -> {};
        time.advance(CYCLE);
        assertThat(kinds()).containsExactly(ConflictKind.TWO_LEADERS);
    }

    @Test
    void aCoordinatorThatMayForgetMustRepeatItself() {
        AlarmWatch forgetful = new AlarmWatch(strand, host, register, CYCLE, true);
        stand(led(7, A), 9);
        forgetful.begin();
        time.advance(CYCLE.multipliedBy(3));
        assertThat(kinds()).isEmpty();

        time.advance(CYCLE);
        assertThat(kinds()).containsExactly(ConflictKind.MARK_ABOVE_RECORD);
    }

    @Test
    void whatCannotBeReadChangesNoAlarm() {
        stand(led(7, A), 9);
        watch.begin();
        time.advance(CYCLE);
        host.isSinkSilent = true;
        time.advance(CYCLE);
        assertThat(kinds()).as("the sink is silent").hasSize(1);

        host.isSinkSilent = false;
        stand(led(10, A), 10);
        host.answer = Optional.of(CompletableFuture.failedStage(new CoordinatorException("gone", false)));
        time.advance(CYCLE);
        assertThat(kinds()).as("the coordinator is silent").hasSize(1);

        host.answer = Optional.of(CompletableFuture.completedStage(Map.of(JOB, new Reading.Unread("late"))));
        time.advance(CYCLE);
        assertThat(kinds()).as("it answers and cannot read").hasSize(1);

        host.answer = Optional.empty();
        time.advance(CYCLE);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void oneLookIsUnderWayAtATime() {
        stand(led(7, A), 7);
        CompletableFuture<Map<ElectionName, Reading>> late = new CompletableFuture<>();
        host.answer = Optional.of(late);
        watch.begin();
        time.advance(AlarmWatch.LONGEST_LOOK);
        assertThat(host.asked).hasSize(2);

        host.answer = Optional.empty();
        late.complete(Map.of());
        time.advance(AlarmWatch.BETWEEN_LOOKS);
        assertThat(host.asked).hasSize(4);
    }

    @Test
    void aLookThatDoesNotEndIsGivenUpAndItsLateAnswerCountsForNothing() {
        stand(led(7, A), 9);
        CompletableFuture<Map<ElectionName, Reading>> late = new CompletableFuture<>();
        host.answer = Optional.of(late);
        watch.begin();
        time.advance(CYCLE.plus(AlarmWatch.LONGEST_LOOK));
        host.answer = Optional.empty();
        time.advance(AlarmWatch.BETWEEN_LOOKS);
        assertThat(kinds()).containsExactly(ConflictKind.MARK_ABOVE_RECORD);
        int asked = host.asked.size();
        late.complete(Map.of(JOB, new Reading.Absent()));
        assertThat(kinds()).containsExactly(ConflictKind.MARK_ABOVE_RECORD);
        time.advance(CYCLE);
        assertThat(host.asked).as("a late answer begins no second row of looks").hasSize(asked + 2);

        CompletableFuture<List<SinkMarks>> never = new CompletableFuture<>();
        host.marksAnswer = Optional.of(never);
        time.advance(CYCLE.plus(AlarmWatch.LONGEST_LOOK));
        host.marksAnswer = Optional.empty();
        stand(led(10, A), 10);
        time.advance(AlarmWatch.BETWEEN_LOOKS);
        assertThat(kinds()).isEmpty();
    }

    @SuppressWarnings("NullAway") // a sink that answers without its marks is among them
    @Test
    void whatIsThrownOrAnsweredWronglyStopsNoLaterLook() {
        stand(led(7, A), 9);
        watch.begin();
        List<Runnable> wrongs = List.of(
                () -> host.atMarks = () -> {
                    throw new NoClassDefFoundError("driver");
                },
                () -> host.marksAnswer = Optional.of(CompletableFuture.completedStage(null)),
                () -> host.marksAnswer = Optional.of(CompletableFuture.failedStage(new StackOverflowError())),
                () -> host.marksAnswer = Optional.of(
                        CompletableFuture.completedStage(List.of(new SinkMarks(new SinkId("x"), "x", null)))),
                () -> host.between = () -> {
                    throw new IllegalStateException("closed");
                },
                () -> host.answer = Optional.of(CompletableFuture.completedStage(null)));
        for (Runnable wrong : wrongs) {
            wrong.run();
            time.advance(CYCLE);
            assertThat(kinds()).isEmpty();
            host.atMarks = () -> {};
            host.marksAnswer = Optional.empty();
            host.between = () -> {};
            host.answer = Optional.empty();
        }
        time.advance(CYCLE);
        assertThat(kinds()).containsExactly(ConflictKind.MARK_ABOVE_RECORD);
    }

    @Test
    void anElectionWhoseViewsCannotBeComparedKeepsNoOtherFromIt() {
        stand(led(7, A), 9);
        host.stoodIn.add(new ElectionName("aaa"));
        host.stoodIn.add(new ElectionName("zzz"));
        host.heldAfter = name -> {
            if (!name.equals(JOB)) {
                throw new IllegalStateException("of " + name);
            }
        };
        host.held.put(new ElectionName("aaa"), new Term(new ElectionName("aaa"), 1, A));
        host.held.put(new ElectionName("zzz"), new Term(new ElectionName("zzz"), 1, A));
        watch.begin();
        time.advance(CYCLE);

        assertThat(kinds()).containsExactly(ConflictKind.MARK_ABOVE_RECORD);
    }

    @Test
    void tenThousandElectionsTakeAHundredLooksASecondApart() {
        for (int i = 0; i < 10_000; i++) {
            host.stoodIn.add(new ElectionName("job-%04d".formatted(i)));
        }
        watch.begin();
        time.advance(CYCLE.plusSeconds(99));

        List<String> first =
                host.asked.stream().filter(one -> one.startsWith("records")).toList();
        assertThat(first).hasSize(100).doesNotHaveDuplicates();
        assertThat(host.asked).doesNotContain("marks of 101").contains("marks of 100");
        assertThat(first).startsWith("records from job-0000").endsWith("records from job-9900");
        time.advance(AlarmWatch.BETWEEN_LOOKS);
        assertThat(host.asked).endsWith("records from job-0000");
    }

    @Test
    void anElectionWithAnAlarmIsLookedAtAfterItsOwnersHaveLeft() {
        stand(led(7, A), 9);
        watch.begin();
        time.advance(CYCLE);
        host.stoodIn.clear();
        time.advance(CYCLE);
        assertThat(kinds()).hasSize(1);

        stand(led(10, A), 10);
        host.stoodIn.clear();
        time.advance(CYCLE);
        assertThat(kinds()).isEmpty();
        int asked = host.asked.size();
        time.advance(Duration.ofMinutes(1));
        assertThat(host.asked).as("there is nothing to look at").hasSize(asked);
    }

    @Test
    void aReportedRefusalIsAnAlarmForTenMinutes() {
        stand(led(7, A), 7);
        host.stoodIn.clear();
        watch.begin();
        strand.execute(() -> watch.report(JOB, new StaleWrite(6, "ledger", "")));
        time.advance(CYCLE);
        assertThat(kinds()).containsExactly(ConflictKind.STALE_WRITE);

        time.advance(RecentReports.COUNTS_FOR);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void refusalsOfSoManyElectionsAreRemembered() {
        for (int i = 0; i < 150; i++) {
            ElectionName name = new ElectionName("job-%03d".formatted(i));
            strand.execute(() -> watch.report(name, new StaleWrite(6, "ledger", "")));
        }
        watch.begin();
        time.advance(CYCLE);

        assertThat(host.asked).containsExactly("marks of 100", "records from job-050");
    }

    @Test
    void aMarkThatATermMetIsAnAlarmAlthoughTheNextClaimHasHealedIt() {
        stand(led(10, A), 10);
        watch.begin();
        Mark met = new Mark(new FencingToken(9), MarkOwner.ofCandidate(B.id()));
        strand.execute(() -> watch.met(JOB, new MetMark(7, new SinkId("ledger"), met)));
        time.advance(CYCLE);
        assertThat(register.list().open())
                .singleElement()
                .satisfies(alarm -> assertThat(alarm.conflict().sentence())
                        .startsWith("job: this host: gave up term 7; sink ledger: mark 9 of candidate:b@host; "));

        time.advance(RecentReports.COUNTS_FOR);
        assertThat(kinds()).isEmpty();
    }

    @Test
    void nothingIsLookedAtAfterTheEnd() {
        stand(led(7, A), 9);
        watch.begin();
        watch.end();
        time.advance(Duration.ofMinutes(1));
        assertThat(host.asked).isEmpty();
    }

    private List<ConflictKind> kinds() {
        return register.list().open().stream()
                .map(ConflictAlarm::conflict)
                .map(conflict -> conflict.kind())
                .toList();
    }

    private void stand(LeaderRecord record, long mark) {
        host.stoodIn.add(JOB);
        host.records.put(JOB, record);
        host.marks.put(
                JOB,
                new Mark(
                        new FencingToken(mark),
                        MarkOwner.ofCandidate(record.leader().orElse(B).id())));
    }

    private static LeaderRecord led(long term, Candidate leader) {
        return LeaderRecord.EMPTY
                .claimedBy(term, leader, new LeaseId("lease"), Duration.ofSeconds(15), Instant.EPOCH)
                .withSinks(Map.of(new SinkId("ledger"), "ledger"));
    }
}
