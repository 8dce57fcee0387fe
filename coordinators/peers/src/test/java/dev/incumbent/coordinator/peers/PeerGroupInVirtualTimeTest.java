package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Leadership;
import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Raise;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.fence.memory.MemoryStore;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.peers.MemberId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the shipped driver does with the shipped machines, in virtual time: everything but sockets. */
class PeerGroupInVirtualTimeTest {
    private static final Duration SECONDS = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private VirtualGroup raft(int size, long seed) {
        return new VirtualGroup(PeerKind.RAFT, size, seed, folder).found();
    }

    @Test
    void fiveMembersElectOneWhoseGuardAloneSaysYes() {
        try (VirtualGroup group = raft(5, 1).startAll()) {
            assertThat(group.awaitLeader(SECONDS)).isTrue();

            group.advance(Duration.ofSeconds(60));

            assertThat(group.leaders()).hasSize(1);
            assertThat(group.told).as("nobody else ever led").hasSize(1);
            Leadership led = group.leadership(group.leader());
            assertThat(led.token().value()).isEqualTo(led.term().number());
            assertThat(led.remaining()).isBetween(Duration.ofMillis(400), Duration.ofSeconds(1));
            assertThat(led.inJeopardy()).isFalse();
        }
    }

    @Test
    void aKilledLeaderIsFollowedByAGreaterTerm() {
        try (VirtualGroup group = raft(5, 2).startAll()) {
            group.awaitLeader(SECONDS);
            MemberId first = group.leader();
            long term = group.leadership(first).term().number();

            group.kill(first);

            assertThat(group.awaitLeader(SECONDS)).isTrue();
            assertThat(group.leader()).isNotEqualTo(first);
            assertThat(group.leadership(group.leader()).term().number()).isGreaterThan(term);
        }
    }

    @Test
    void aPausedLeaderIsToldNoByItsFirstQuestion() {
        try (VirtualGroup group = raft(3, 3).startAll()) {
            group.awaitLeader(SECONDS);
            MemberId paused = group.leader();
            Leadership old = group.leadership(paused);

            group.pause(paused, Duration.ofSeconds(30));
            group.advance(Duration.ofSeconds(2));

            assertThat(old.holds()).isFalse();
            group.advance(Duration.ofSeconds(20));
            assertThat(group.leaders()).hasSize(1).doesNotContainKey(paused);
            group.advance(Duration.ofSeconds(10));
            assertThat(group.leaders()).as("it has gone on").hasSize(1).doesNotContainKey(paused);
            assertThat(group.told).contains(paused + " leads " + old.term().number() + " no more: LEASE_LOST");
        }
    }

    @Test
    void aMinorityStepsDownAndItsLeaderWithIt() {
        try (VirtualGroup group = raft(5, 4).startAll()) {
            group.awaitLeader(SECONDS);
            MemberId cut = group.leader();
            MemberId with = group.ring().stream()
                    .filter(one -> !one.equals(cut))
                    .findFirst()
                    .orElseThrow();

            group.cutOff(Set.of(cut, with));
            group.advance(Duration.ofMillis(1_100));

            assertThat(group.leaders()).doesNotContainKeys(cut, with);
            group.advance(SECONDS);
            assertThat(group.leaders()).hasSize(1).doesNotContainKeys(cut, with);
            MemberId next = group.leader();
            group.heal();
            group.advance(SECONDS);
            assertThat(group.leaders()).as("whoever returns disturbs nobody").containsOnlyKeys(next);
        }
    }

    @Test
    void aBullyHasTwoLeadersInAPartition() {
        try (VirtualGroup group = new VirtualGroup(PeerKind.BULLY, 5, 5, folder).startAll()) {
            group.advance(SECONDS);
            assertThat(group.leaders()).containsOnlyKeys(new MemberId("e"));

            group.cutOff(Set.of(new MemberId("e"), new MemberId("a")));
            group.advance(SECONDS);

            assertThat(group.leaders()).containsOnlyKeys(new MemberId("d"), new MemberId("e"));
            group.heal();
            group.advance(SECONDS);
            assertThat(group.leaders()).containsOnlyKeys(new MemberId("e"));
        }
    }

    @Test
    void aRingHasTwoLeadersInAPartition() {
        try (VirtualGroup group = new VirtualGroup(PeerKind.RING, 5, 6, folder).startAll()) {
            group.advance(SECONDS);
            assertThat(group.leaders()).containsOnlyKeys(new MemberId("e"));

            group.cutOff(Set.of(new MemberId("e"), new MemberId("a")));
            group.advance(SECONDS);

            assertThat(group.leaders()).containsOnlyKeys(new MemberId("d"), new MemberId("e"));
        }
    }

    @Test
    void aSinkIsRaisedBeforeTheTaskBegins() {
        List<String> marks = new ArrayList<>();
        try (VirtualGroup group = raft(3, 7)) {
            MemorySink sink = sink(group);
            group.guarding(sink)
                    .running(led -> marks.add(mark(sink) + " at " + led.token()))
                    .startAll();

            assertThat(group.awaitLeader(SECONDS)).isTrue();

            Leadership led = group.leadership(group.leader());
            assertThat(marks).containsExactly(Mark.of(led.term()) + " at " + led.token());
        }
    }

    @Test
    void aRefusedMarkIsPassedByALaterTerm() {
        try (VirtualGroup group = raft(3, 8)) {
            MemorySink sink = sink(group);
            sink.raise(VirtualGroup.ELECTION, new Mark(new FencingToken(700), MarkOwner.ofOperator("somebody")));
            group.guarding(sink).startAll();

            assertThat(group.awaitLeader(SECONDS)).isTrue();

            Leadership led = group.leadership(group.leader());
            assertThat(led.token().value()).isGreaterThan(700);
            assertThat(mark(sink)).isEqualTo(Mark.of(led.term()).toString());
            assertThat(group.told).first().asString().contains("refused token 1: its mark is 700");
        }
    }

    @Test
    void aMemberWithAnEmptyDiskTakesPartOnceAllOthersHaveToldTheirTerms() {
        try (VirtualGroup group = raft(3, 9).startAll()) {
            group.awaitLeader(SECONDS);
            MemberId wiped = group.ring().stream()
                    .filter(one -> !one.equals(group.leader()))
                    .findFirst()
                    .orElseThrow();
            MemberId third = group.ring().stream()
                    .filter(one -> !one.equals(group.leader()) && !one.equals(wiped))
                    .findFirst()
                    .orElseThrow();
            group.kill(wiped);
            assertThat(group.folderOf(wiped).resolve("member").toFile().delete())
                    .isTrue();
            group.kill(third);

            group.start(wiped);
            group.advance(SECONDS);

            assertThat(group.leaders())
                    .as("two of three, of which one has forgotten")
                    .isEmpty();
            assertThat(group.member(wiped).driver().health().trouble())
                    .hasValueSatisfying(why -> assertThat(why).contains("is empty"));
            group.start(third);
            assertThat(group.awaitLeader(SECONDS)).isTrue();
            assertThat(group.member(wiped).driver().health().trouble()).isEmpty();
        }
    }

    @Test
    void whoeverClosesHandsOverAtOnce() {
        try (VirtualGroup group = raft(3, 10).startAll()) {
            group.awaitLeader(SECONDS);
            group.advance(Duration.ofSeconds(3));
            MemberId first = group.leader();

            group.member(first).driver().close();
            group.advance(Duration.ofMillis(150));

            assertThat(group.member(first).driver().left()).isCompleted();
            assertThat(group.leaders()).hasSize(1).doesNotContainKey(first);
        }
    }

    @Test
    void whoeverIsUnhealthyVotesAndIsNotElected() {
        try (VirtualGroup group = raft(3, 11).startAll()) {
            group.awaitLeader(SECONDS);
            MemberId sick = group.leader();

            group.member(sick).driver().setHealthy(false, Optional.of("its disk is full"));
            group.advance(Duration.ofSeconds(1));
            assertThat(group.leaders()).hasSize(1).doesNotContainKey(sick);
            group.kill(group.leader());

            assertThat(group.awaitLeader(SECONDS))
                    .as("the sick one votes for the third")
                    .isTrue();
            assertThat(group.leaders()).doesNotContainKey(sick);
        }
    }

    @Test
    void aMemberWhoseDiskFailsLeadsNoMore() {
        try (VirtualGroup group = raft(3, 12).startAll()) {
            group.awaitLeader(SECONDS);
            MemberId other = group.ring().stream()
                    .filter(one -> !one.equals(group.leader()))
                    .findFirst()
                    .orElseThrow();
            assertThat(group.folderOf(other).resolve("member.new").toFile().mkdir())
                    .isTrue();

            group.kill(group.leader());
            group.advance(SECONDS);

            assertThat(group.leaders()).isEmpty();
            assertThat(group.told)
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(other + ": term and vote cannot be written to ")
                            .contains("takes part no more"));
        }
    }

    @Test
    void aMemberWhoseStepFailsLeadsNoMore() {
        try (VirtualGroup group = raft(3, 13).startAll()) {
            group.awaitLeader(SECONDS);
            MemberId broken = group.leader();

            group.failing(broken);
            group.advance(Duration.ofSeconds(1));

            assertThat(group.member(broken).driver().left()).isCompleted();
            assertThat(group.told)
                    .contains(broken + ": a step of " + broken + " failed, so this member takes part no more: "
                            + new AssertionError("a defect"));
            assertThat(group.awaitLeader(SECONDS)).isTrue();
            assertThat(group.leaders()).doesNotContainKey(broken);
        }
    }

    @Test
    void whoeverFallsIllWhileItIsElectedDoesNotLead() {
        long elected = 0;
        MemberId first;
        try (VirtualGroup group = new VirtualGroup(PeerKind.RAFT, 3, 14, folder.resolve("well"))
                .found()
                .startAll()) {
            while (group.leaders().isEmpty()) {
                group.advance(Duration.ofMillis(1));
                elected++;
            }
            first = group.leader();
        }
        for (int before = 1; before <= 20; before++) {
            try (VirtualGroup group = new VirtualGroup(PeerKind.RAFT, 3, 14, folder.resolve("ill-" + before))
                    .found()
                    .startAll()) {
                group.advance(Duration.ofMillis(elected - before));
                group.member(first).driver().setHealthy(false, Optional.of("its disk is full"));
                group.advance(SECONDS);

                assertThat(group.told)
                        .as("ill " + before + " ms before it leads")
                        .noneMatch(line -> line.startsWith(first + " leads"));
                assertThat(group.leaders()).hasSize(1);
            }
        }
    }

    @Test
    void aSinkThatThrowsAnErrorOrAnswersNothingIsUnraised() {
        for (boolean isThrowing : List.of(true, false)) {
            try (VirtualGroup group =
                    new VirtualGroup(PeerKind.RAFT, 3, 15, folder.resolve("throws-" + isThrowing)).found()) {
                group.guarding(new BrokenSink(sink(group), isThrowing)).startAll();

                group.advance(SECONDS);

                String why = isThrowing ? "no such method" : "it answered with nothing";
                assertThat(group.told)
                        .anyMatch(line -> line.endsWith("sink " + sink(group).label() + " could not be raised: " + why))
                        .noneMatch(line -> line.contains(" leads "));
                assertThat(group.told.stream()
                                .map(line -> line.split(":", 2)[0])
                                .distinct())
                        .as("members that tried")
                        .hasSizeGreaterThan(1);
            }
        }
    }

    /** A sink with a defect. */
    private record BrokenSink(Sink sink, boolean isThrowing) implements Sink {
        @Override
        public CompletionStage<SinkId> id() {
            return sink.id();
        }

        @Override
        public CompletionStage<Raise> raise(ElectionName election, Mark mark) {
            if (isThrowing) {
                throw new NoSuchMethodError("no such method");
            }
            return CompletableFuture.<Raise>completedStage(null);
        }

        @Override
        public CompletionStage<MarksRead> marks(Set<ElectionName> elections) {
            return sink.marks(elections);
        }

        @Override
        public CompletionStage<MarksRead> marks() {
            return sink.marks();
        }

        @Override
        public void close() {
            sink.close();
        }

        @Override
        public String label() {
            return sink.label();
        }
    }

    private static MemorySink sink(VirtualGroup group) {
        return new MemorySink(new MemoryStore(new SinkId("ledger")), group.time, Duration.ofSeconds(5));
    }

    private static String mark(MemorySink sink) {
        return sink.marks()
                .toCompletableFuture()
                .join()
                .of(VirtualGroup.ELECTION)
                .orElseThrow()
                .toString();
    }
}
