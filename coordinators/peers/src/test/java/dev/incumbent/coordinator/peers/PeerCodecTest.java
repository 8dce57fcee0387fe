package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.bully.BullyMessage;
import dev.incumbent.peers.raft.RaftMessage;
import dev.incumbent.peers.ring.RingMessage;
import dev.incumbent.peers.ring.RingToken;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Messages as bytes: what was written is read, and nothing else is. */
class PeerCodecTest {
    private static final MemberId A = new MemberId("a:7501");
    private static final MemberId B = new MemberId("b:7501");

    private static final List<RaftMessage> RAFT = List.of(
            new RaftMessage.RequestPreVote(1),
            new RaftMessage.GrantPreVote(2),
            new RaftMessage.RequestVote(3, true),
            new RaftMessage.GrantVote(4),
            new RaftMessage.Heartbeat(5, -6, 7),
            new RaftMessage.HeartbeatTaken(8, Long.MIN_VALUE),
            new RaftMessage.HigherTerm(9),
            new RaftMessage.TimeoutNow(10),
            new RaftMessage.AskTerm(-11),
            new RaftMessage.TellTerm(12, "billing/closer", 13));
    private static final List<RingMessage> RING = List.of(
            new RingMessage.Passed(1, new RingToken.Candidature(A, 2)),
            new RingMessage.Passed(3, new RingToken.Collection(List.of(A, B))),
            new RingMessage.Passed(4, new RingToken.Announcement(B, A, 5)),
            new RingMessage.Taken(6),
            new RingMessage.Heartbeat());

    @Test
    void everyMessageIsReadAsItWasWritten() throws MessageException {
        assertThat(RAFT).hasSize(RaftMessage.class.getPermittedSubclasses().length);
        for (RaftMessage message : RAFT) {
            assertThat(new RaftCodec().read(new RaftCodec().written(message))).isEqualTo(message);
        }
        for (BullyMessage message : BullyMessage.values()) {
            assertThat(new BullyCodec().read(new BullyCodec().written(message))).isEqualTo(message);
        }
        for (RingMessage message : RING) {
            assertThat(new RingCodec().read(new RingCodec().written(message))).isEqualTo(message);
        }
        assertThat(PeerGreeting.CODEC.read(PeerGreeting.CODEC.written(greeting(A, B))))
                .isEqualTo(greeting(A, B));
    }

    @Test
    void whatIsTooShortTooLongOrUnknownIsNoMessage() {
        for (RaftMessage message : RAFT) {
            byte[] whole = new RaftCodec().written(message);
            for (int length = 0; length < whole.length; length++) {
                byte[] part = Arrays.copyOf(whole, length);
                assertThatThrownBy(() -> new RaftCodec().read(part)).isInstanceOf(MessageException.class);
            }
            assertThatThrownBy(() -> new RaftCodec().read(Arrays.copyOf(whole, whole.length + 1)))
                    .hasMessage("1 bytes follow the message");
        }
        assertThatThrownBy(() -> new BullyCodec().read(new byte[] {9})).hasMessageContaining("no message of kind 9");
    }

    @Test
    void aTermThatLeavesNoneAboveItIsRefused() {
        byte[] greatest = new RaftCodec().written(new RaftMessage.HigherTerm(Long.MAX_VALUE));

        assertThatThrownBy(() -> new RaftCodec().read(greatest))
                .hasMessageContaining("this one is 9223372036854775807");
    }

    @Test
    void aTokenThatWasPassedMoreOftenThanThereCanBeMembersIsRefused() throws MessageException {
        for (int hops : new int[] {-1, Integer.MIN_VALUE, 100, Integer.MAX_VALUE}) {
            for (RingToken token :
                    List.of(new RingToken.Candidature(A, hops), new RingToken.Announcement(A, B, hops))) {
                byte[] written = new RingCodec().written(new RingMessage.Passed(1, token));
                assertThatThrownBy(() -> new RingCodec().read(written))
                        .isInstanceOf(MessageException.class)
                        .hasMessageContaining("a token was passed from 0 to 99 times, this one " + hops);
            }
        }
        for (int hops : new int[] {0, 99}) {
            RingMessage message = new RingMessage.Passed(1, new RingToken.Candidature(A, hops));
            assertThat(new RingCodec().read(new RingCodec().written(message))).isEqualTo(message);
        }
    }

    @Test
    void aListThatNamesNobodyOrMoreThanThereCanBeIsRefused() {
        for (int size : new int[] {0, 100}) {
            byte[] written = new RingCodec()
                    .written(new RingMessage.Passed(1, new RingToken.Collection(Collections.nCopies(size, A))));
            assertThatThrownBy(() -> new RingCodec().read(written))
                    .hasMessageContaining("a list has from 1 to 99 members, this one " + size);
        }
    }

    @Test
    void whateverBytesComeNothingElseIsThrown() {
        SplittableRandom draws = new SplittableRandom(1);
        int read = 0;
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = new byte[draws.nextInt(40)];
            draws.nextBytes(bytes);
            if (bytes.length > 0) {
                bytes[0] = (byte) draws.nextInt(12);
            }
            for (MessageCodec<?> codec :
                    List.of(new RaftCodec(), new BullyCodec(), new RingCodec(), PeerGreeting.CODEC)) {
                try {
                    codec.read(bytes);
                    read++;
                } catch (MessageException refused) {
                    assertThat(refused.getMessage()).isNotBlank();
                }
            }
        }
        assertThat(read).as("some are messages").isPositive();
    }

    @Test
    void whoeverIsOfAnotherGroupIsRefusedWithBothValues() {
        PeerGreeting mine = greeting(B, A);

        assertThat(greeting(A, B).refusedBy(mine)).isEmpty();
        assertThat(new PeerGreeting(PeerKind.RAFT, new ElectionName("other"), List.of(A, B), A, B, candidate())
                        .refusedBy(mine))
                .contains("a:7501 belongs to the group other, and b:7501 to billing/closer");
        assertThat(new PeerGreeting(PeerKind.BULLY, mine.group(), List.of(A, B), A, B, candidate()).refusedBy(mine))
                .contains("a:7501 elects by bully, and b:7501 by raft");
        assertThat(new PeerGreeting(PeerKind.RAFT, mine.group(), List.of(B, A), A, B, candidate()).refusedBy(mine))
                .contains(
                        "a:7501 has the members b:7501,a:7501, and b:7501 has a:7501,b:7501: give all members the same"
                                + " list");
        assertThat(greeting(A, A).refusedBy(mine)).contains("a:7501 wants to reach a:7501, and this is b:7501");
        assertThat(greeting(B, B).refusedBy(mine)).contains("a member that calls itself b:7501 reached b:7501");
    }

    private static PeerGreeting greeting(MemberId from, MemberId to) {
        return new PeerGreeting(
                PeerKind.RAFT, new ElectionName("billing/closer"), List.of(A, B), from, to, candidate());
    }

    private static Candidate candidate() {
        return new Candidate(new CandidateId("a:7501@a-1-2"), "a:7501", "a:80");
    }
}
