package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Leadership;
import dev.incumbent.Transfer;
import dev.incumbent.model.CandidateId;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.raft.RaftMessage;
import dev.incumbent.time.VirtualTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How a term of the shipped driver ends, in virtual time. */
class PeerTermInVirtualTimeTest {
    private static final Duration SECONDS = Duration.ofSeconds(20);
    private static final Duration STOP_BUDGET = Duration.ofMillis(200);

    @TempDir
    Path folder;

    private VirtualGroup led(long seed) {
        VirtualGroup group =
                new VirtualGroup(PeerKind.RAFT, 3, seed, folder).found().startAll();
        assertThat(group.awaitLeader(SECONDS)).isTrue();
        group.advance(Duration.ofSeconds(2));
        return group;
    }

    @Test
    void aLeaderWhoseDiskFailsLeadsNoMoreFromThatMoment() {
        try (VirtualGroup group = led(1)) {
            MemberId leader = group.leader();
            Leadership old = group.leadership(leader);
            VirtualGroup.VirtualMember broken = group.member(leader);
            broken.platform().stopsAfter(Duration.ofSeconds(3));
            assertThat(group.folderOf(leader).resolve("member.new").toFile().mkdir())
                    .isTrue();

            MemberId other = group.others(leader).get(0);
            group.member(other).transport().send(leader, new RaftCodec().written(new RaftMessage.HigherTerm(50)));
            group.advance(Duration.ofMillis(30));

            assertThat(old.holds()).isFalse();
            assertThat(group.told)
                    .contains(leader + " leads " + old.term().number() + " no more: LEASE_LOST")
                    .anyMatch(line -> line.startsWith(leader + ": term and vote cannot be written to "));
            assertThat(broken.driver().left()).as("its task still runs").isNotCompleted();
            group.advance(SECONDS);
            assertThat(broken.driver().left()).isCompleted();
            assertThat(group.leaders()).hasSize(1).doesNotContainKey(leader);
        }
    }

    @Test
    void aTermIsStalledOnceItsTaskHasOverrunTheStopBudget() {
        try (VirtualGroup group = led(2)) {
            MemberId leader = group.leader();
            VirtualGroup.VirtualMember member = group.member(leader);
            member.platform().stopsAfter(STOP_BUDGET.multipliedBy(3));

            member.driver().resign();
            group.advance(STOP_BUDGET.minusMillis(1));
            assertThat(member.driver().health().stalled())
                    .as("within its stop budget")
                    .isFalse();
            group.advance(STOP_BUDGET);
            assertThat(member.driver().health().stalled()).isTrue();
            group.advance(STOP_BUDGET.multipliedBy(2));

            assertThat(member.driver().health().stalled()).as("it has returned").isFalse();
        }
    }

    @Test
    void aTransferToWhoeverHasNotAnsweredLatelyIsDeclined() {
        try (VirtualGroup group = led(3)) {
            MemberId leader = group.leader();
            MemberId dead = group.others(leader).get(0);
            MemberId alive = group.others(leader).get(1);
            PeerDriver driver = group.member(leader).driver();
            group.kill(dead);
            group.advance(Duration.ofSeconds(3));

            var declined = driver.transfer(new CandidateId(dead.value())).toCompletableFuture();
            group.advance(Duration.ofMillis(10));

            assertThat(declined).isCompletedWithValue(new Transfer.Aborted(dead + " has not answered for 1000 ms"));
            assertThat(group.leaders()).containsOnlyKeys(leader);
            var done = driver.transfer(new CandidateId(alive.value())).toCompletableFuture();
            group.advance(Duration.ofMillis(500));
            assertThat(done).isCompletedWithValue(new Transfer.HandedOver(new CandidateId(alive.value())));
            assertThat(group.leaders()).containsOnlyKeys(alive);
        }
    }

    static LongStream seeds() {
        return LongStream.range(0, 10);
    }

    /** A wall clock that was set forward looks as a suspend does; the leader, whose clock was not set, counts on those who have answered. */
    @ParameterizedTest
    @MethodSource("seeds")
    void wallClocksThatAreSetForwardEndNoPromiseOfWhoeverHasNoBootClock(long seed) {
        VirtualTimeline time = VirtualTimeline.withoutBootClock();
        try (VirtualGroup group =
                new VirtualGroup(PeerKind.RAFT, 3, seed, folder, time).found().startAll()) {
            assertThat(group.awaitLeader(SECONDS)).isTrue();
            MemberId first = group.leader();

            group.cutOff(Set.of(first));
            group.others(first).forEach(other -> group.member(other).platform().stepWall(Duration.ofHours(1)));

            for (int i = 0; i < 200; i++) {
                group.advance(Duration.ofMillis(10));
                assertThat(group.leaders()).hasSizeLessThan(2);
            }
            assertThat(group.awaitLeader(SECONDS)).isTrue();
            assertThat(Optional.of(group.leader())).isNotEqualTo(Optional.of(first));
        }
    }
}
