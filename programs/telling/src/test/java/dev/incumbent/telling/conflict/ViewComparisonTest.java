package dev.incumbent.telling.conflict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Reading;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.Revision;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which views contradict each other, and which do not. */
class ViewComparisonTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final SinkId LEDGER = new SinkId("ledger");
    private static final Candidate A = candidate("a");
    private static final Candidate B = candidate("b");
    private static final Instant NOON = Instant.parse("2026-11-28T12:00:00Z");

    private final SortedMap<SinkId, SinkView> sinks = new TreeMap<>();
    private Optional<Term> held = Optional.empty();
    private Optional<StaleWrite> stale = Optional.empty();
    private Optional<MetMark> met = Optional.empty();

    @Test
    void aSoundElectionHasNoConflict() {
        held = Optional.of(new Term(JOB, 7, A));
        mark(7, owner(A));
        assertThat(of(led(7, A))).isEmpty();

        held = Optional.empty();
        assertThat(of(led(7, A))).isEmpty();
        assertThat(of(led(7, A).vacated(7, NOON))).isEmpty();
        sinks.clear();
        assertThat(of(LeaderRecord.EMPTY)).isEmpty();
    }

    @Test
    void whatCannotBeReadIsNotCompared() {
        held = Optional.of(new Term(JOB, 7, A));
        mark(9, owner(B));
        ElectionViews unread = views(new Reading.Unread("late"));

        assertThat(ViewComparison.of(unread)).isEmpty();
        assertThat(unread.known()).isEmpty();
        assertThat(views(new Reading.Absent()).known()).containsExactly("", "ledger");
    }

    @Test
    void aTermIsHeldWhileTheRecordNamesAnother() {
        held = Optional.of(new Term(JOB, 7, A));

        assertThat(of(led(8, B))).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.TWO_LEADERS);
            assertThat(one.isCertain()).isTrue();
            assertThat(one.about()).isEmpty();
            assertThat(one.sentence())
                    .isEqualTo("job: this host: holds term 7 as a@host; record: term 8, led by b@host;"
                            + " only a fence keeps their writes apart: look at the clocks and pauses of both hosts");
        });
        assertThat(kinds(led(7, B))).containsExactly(ConflictKind.TWO_LEADERS);
    }

    @Test
    void aTermIsHeldThatTheRecordHasForgotten() {
        held = Optional.of(new Term(JOB, 7, A));

        assertThat(kinds(led(4, A))).containsExactly(ConflictKind.RECORD_WENT_BACK);
        assertThat(kinds(led(4, B))).containsExactly(ConflictKind.RECORD_WENT_BACK);
        assertThat(ViewComparison.of(views(new Reading.Absent())))
                .extracting(Conflict::kind)
                .containsExactly(ConflictKind.RECORD_WENT_BACK);
    }

    @Test
    void aTermIsHeldWithoutALease() {
        held = Optional.of(new Term(JOB, 7, A));

        assertThat(kinds(led(7, A).vacated(7, NOON))).containsExactly(ConflictKind.LEADER_WITHOUT_LEASE);
        assertThat(ViewComparison.of(views(found(led(7, A), false))))
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.kind()).isEqualTo(ConflictKind.LEADER_WITHOUT_LEASE);
                    assertThat(one.sentence()).contains("record: term 7, led by a@host, whose lease is dead");
                });
    }

    @Test
    void aMarkIsAboveTheRecord() {
        mark(9, owner(B));
        assertThat(of(led(4, A))).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.MARK_ABOVE_RECORD);
            assertThat(one.about()).isEqualTo("ledger");
            assertThat(one.isCertain()).isTrue();
            assertThat(one.sentence())
                    .startsWith("job: record: term 4, led by a@host; sink the ledger: mark 9 of candidate:b@host; ");
        });
        assertThat(ViewComparison.of(views(new Reading.Absent())))
                .extracting(Conflict::kind)
                .containsExactly(ConflictKind.MARK_ABOVE_RECORD);

        mark(9, MarkOwner.ofThaw("ann", 8));
        assertThat(of(led(4, A).vacated(4, NOON)))
                .as("a thaw may be under way")
                .singleElement()
                .satisfies(one -> assertThat(one.isCertain()).isFalse());
    }

    @Test
    void aMarkThatAPersonRaisedMustLastAndHasAnAdviceOfItsOwn() {
        mark(9, MarkOwner.ofOperator("ann"));

        assertThat(of(led(4, A))).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.MARK_RAISED_BY_HAND);
            assertThat(one.isCertain()).isFalse();
            assertThat(one.sentence())
                    .startsWith(
                            "job: record: term 4, led by a@host; sink the ledger: mark 9 of operator:ann; a person");
        });
    }

    @Test
    void longOrOddTextOfASinkIsCutAndCleaned() {
        String odd = "a\0b\nc\r\u2028\u202Ed\uD800";
        sinks.put(LEDGER, new SinkView("l\nedger", Optional.empty(), Optional.of(odd + "😀".repeat(1_000))));

        assertThat(of(led(7, A))).singleElement().satisfies(one -> {
            Conflict.Evidence evidence = one.evidence().get(0);
            assertThat(evidence.source()).isEqualTo("sink l\uFFFDedger");
            assertThat(evidence.value())
                    .startsWith("a\uFFFDb\uFFFDc\uFFFD\uFFFD\uFFFDd\uFFFD😀")
                    .endsWith("😀…");
            assertThat(evidence.value().codePointCount(0, evidence.value().length()))
                    .isEqualTo(Conflict.Evidence.LONGEST_TEXT + 1);
        });
        assertThat(new Conflict.Evidence("record", "x".repeat(200)).value()).isEqualTo("x".repeat(200));
    }

    @Test
    void aMarkIsOfAnotherThanTheTermsLeader() {
        mark(7, owner(B));
        assertThat(of(led(7, A))).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.MARK_OF_ANOTHER);
            assertThat(one.isCertain()).isTrue();
            assertThat(one.sentence())
                    .contains("record: term 7 of a@host; sink the ledger: mark 7 of candidate:b@host");
        });
        LeaderRecord past = led(7, A)
                .vacated(7, NOON)
                .remembering(new PastTerm(7, A, NOON, NOON, EndReason.RESIGNED, Duration.ofSeconds(6)));
        assertThat(kinds(past)).containsExactly(ConflictKind.MARK_OF_ANOTHER);
        assertThat(kinds(led(7, A).vacated(7, NOON)))
                .as("nobody knows who led it")
                .isEmpty();
        mark(7, MarkOwner.ofOperator("ann"));
        assertThat(kinds(led(7, A))).as("raised by hand").isEmpty();
    }

    @Test
    void aSinkIsNotRaisedToTheTermThatLeads() {
        mark(6, owner(B));
        assertThat(of(led(7, A)))
                .as("it may be about to be raised")
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.kind()).isEqualTo(ConflictKind.SINK_NOT_RAISED);
                    assertThat(one.isCertain()).isFalse();
                });
        held = Optional.of(new Term(JOB, 7, A));
        assertThat(of(led(7, A)))
                .as("its term began once all sinks were raised")
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.kind()).isEqualTo(ConflictKind.SINK_NOT_RAISED);
                    assertThat(one.isCertain()).isTrue();
                });
        held = Optional.empty();
        assertThat(kinds(led(7, A).withSinks(Map.of()))).as("not on record").isEmpty();
        assertThat(kinds(led(7, A).vacated(7, NOON))).as("nobody leads").isEmpty();
        sinks.put(LEDGER, new SinkView("the ledger", Optional.empty(), Optional.empty()));
        assertThat(kinds(led(7, A).vacated(7, NOON)))
                .as("it is on record, so it was raised once")
                .containsExactly(ConflictKind.SINK_NOT_RAISED);
    }

    @Test
    void aRetiredSinkIsNotCompared() {
        mark(9, owner(B));
        assertThat(kinds(led(4, A).withRetiredSinks(Set.of(LEDGER)))).isEmpty();
    }

    @Test
    void aFreezeAndItsSinksContradictEachOther() {
        LeaderRecord frozen = led(7, A).vacated(7, NOON).withFreeze(Optional.of(new Freeze("ann", "why", NOON, 9)));
        mark(7, owner(A));
        assertThat(of(frozen)).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.SINK_OPEN_IN_FREEZE);
            assertThat(one.isCertain()).isFalse();
            assertThat(one.sentence()).contains("record: frozen by ann, number 9; sink the ledger: mark 7 of");
        });
        mark(9, MarkOwner.ofFreeze("ann"));
        assertThat(of(frozen)).isEmpty();
        assertThat(of(led(7, A))).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.FREEZE_FORGOTTEN);
            assertThat(one.isCertain()).isFalse();
        });
    }

    @Test
    void aMarkThatCannotBeReadIsAConflict() {
        sinks.put(LEDGER, new SinkView("the ledger", Optional.empty(), Optional.of("'x' is no owner of a mark")));

        assertThat(of(led(7, A))).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.MARK_UNREADABLE);
            assertThat(one.sentence()).contains("sink the ledger: 'x' is no owner of a mark");
        });
    }

    @Test
    void aRefusedWriteIsToldWithTheRecord() {
        stale = Optional.of(new StaleWrite(6, "ledger", "7 of candidate:a@host"));

        assertThat(of(led(7, A))).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.STALE_WRITE);
            assertThat(one.sentence())
                    .startsWith("job: sink ledger: token 6 refused as stale, by the mark 7 of candidate:a@host;"
                            + " record: term 7, led by a@host; ");
        });
        assertThat(of(led(7, A)).get(0).json().toString())
                .startsWith("{\"kind\":\"stale-write\",\"election\":\"job\",\"about\":\"\",\"sentence\":\"job: ")
                .endsWith("\"evidence\":[{\"source\":\"sink ledger\",\"value\":\"token 6 refused as stale, by the mark"
                        + " 7 of candidate:a@host\"},{\"source\":\"record\",\"value\":\"term 7, led by a@host\"}]}");
    }

    @Test
    void aMarkThatAClaimMetIsToldThoughTheSinkIsWellAgain() {
        met = Optional.of(new MetMark(5, LEDGER, new Mark(new FencingToken(6), owner(B))));
        mark(7, owner(A));

        assertThat(of(led(7, A))).singleElement().satisfies(one -> {
            assertThat(one.kind()).isEqualTo(ConflictKind.TERM_REFUSED);
            assertThat(one.about()).isEqualTo("ledger");
            assertThat(one.sentence())
                    .startsWith("job: this host: gave up term 5; sink the ledger: mark 6 of candidate:b@host; ");
        });
    }

    private List<ConflictKind> kinds(LeaderRecord record) {
        return of(record).stream().map(Conflict::kind).toList();
    }

    private List<Conflict> of(LeaderRecord record) {
        return ViewComparison.of(views(found(record, record.leader().isPresent())));
    }

    private ElectionViews views(Reading reading) {
        return new ElectionViews(JOB, held, reading, sinks, stale, met);
    }

    private static Reading found(LeaderRecord record, boolean leaseAlive) {
        return new Reading.Found(new ObservedRecord(record, new Revision("r"), leaseAlive, Optional.empty()));
    }

    private static LeaderRecord led(long term, Candidate leader) {
        return LeaderRecord.EMPTY
                .claimedBy(term, leader, new LeaseId("lease"), Duration.ofSeconds(6), NOON)
                .withSinks(Map.of(LEDGER, "the ledger"));
    }

    private void mark(long token, MarkOwner owner) {
        sinks.put(
                LEDGER,
                new SinkView("the ledger", Optional.of(new Mark(new FencingToken(token), owner)), Optional.empty()));
    }

    private static MarkOwner owner(Candidate candidate) {
        return MarkOwner.ofCandidate(candidate.id());
    }

    private static Candidate candidate(String name) {
        return new Candidate(new CandidateId(name + "@host"), name, "");
    }
}
