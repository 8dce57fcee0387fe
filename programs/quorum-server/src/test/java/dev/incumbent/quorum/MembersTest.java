package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.quorum.Replica.Peer;
import dev.incumbent.servers.TemporaryFolder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** Lists of members as the log tells them, in rolls, markers and at a node's start. */
final class MembersTest {
    private static final Peer N1 = new Peer(Member.of("n1=h1:7400"), "d1");
    private static final Peer N2 = new Peer(Member.of("n2=h2:7400"), "d2");
    private static final Peer N3 = new Peer(Member.of("n3=[::1]:7400/7500"), "d3");
    private static final Peer N4 = new Peer(Member.of("n4=h4:7400"), "d4");
    private static final Members FIRST = new Members(10, List.of(N1, N2, N3));
    private static final Members LATER = new Members(90, List.of(N4, N2, N1));
    private static final Roll ROLL =
            new Roll("c1", Map.of("n1", disk(1, "d1", 7), "n2", disk(1, "d2", 7), "n3", disk(1, "d3", 7)));

    @Test
    void aConfigurationNamesMembersWithBothAddressesAndTheirDisks() {
        RaftConfigurationProto.Builder told = RaftConfigurationProto.newBuilder()
                .addPeers(peer("n1.d1", "h1:7401", "h1:7400"))
                .addPeers(peer("n3.d3", "[::1]:7500", "[::1]:7400"))
                .addPeers(peer("n2.d2", "h2:7401", "h2:7400"));

        assertThat(Members.of(10, told.build())).contains(FIRST);
        assertThat(Members.of(
                        10,
                        told.clone()
                                .addOldPeers(peer("n1.d1", "h1:7401", "h1:7400"))
                                .build()))
                .as("between two lists")
                .isEmpty();
        assertThat(Members.of(10, told.addPeers(peer("n4.d4", "h4:7401", "")).build()))
                .as("of a build that names no address for clients")
                .isEmpty();
        assertThat(Members.of(10, RaftConfigurationProto.getDefaultInstance())).isEmpty();
    }

    @Test
    void theLaterListCountsAndAMemberWithAnotherDiskHasALaterGeneration() {
        Roll first = ROLL.configured(FIRST);
        assertThat(first.disks()).isEqualTo(ROLL.disks());
        assertThat(first.members()).isEqualTo(FIRST);

        Peer moved = new Peer(Member.of("n2=h9:7400"), "d9");
        Roll later = first.configured(new Members(90, List.of(N1, moved, N4)));

        assertThat(later.disk("n2")).contains(disk(90, "d9", 0));
        assertThat(later.disk("n4")).contains(disk(90, "d4", 0));
        assertThat(later.disk("n1")).contains(disk(1, "d1", 7));
        assertThat(later.configured(FIRST)).as("told again after a start").isEqualTo(later);
        assertThat(first.merged(later)).isEqualTo(later);
        assertThat(later.merged(first)).isEqualTo(later);
        assertThat(first.withMembersOf(later).members()).isEqualTo(later.members());
        assertThat(first.withMembersOf(later).disks()).isEqualTo(first.disks());
        assertThat(first.withMembersOf(later.inCluster("c2"))).isEqualTo(first);
        assertThat(later.inCluster("c2").members()).isEqualTo(later.members());
        assertThat(later.with("n1", disk(1, "d1", 8)).members()).isEqualTo(later.members());
    }

    /** One who came back with another disk is told of by beats; what the log said before must not undo it. */
    @Test
    void theSameListLaterInTheLogChangesNothing() {
        Roll cameBack = ROLL.configured(FIRST).with("n2", disk(2, "d7", 3));

        assertThat(cameBack.configured(new Members(70, FIRST.peers()))).isEqualTo(cameBack);
        Roll taken = cameBack.configured(new Members(80, List.of(N1, new Peer(N2.member(), "d7"), N3)));
        assertThat(taken.disk("n2")).contains(disk(2, "d7", 3));
    }

    @Test
    void rollsAndMarkersKeepTheList() throws IOException {
        Roll roll = ROLL.configured(FIRST);
        assertThat(Roll.of(roll.lines())).isEqualTo(roll);
        assertThat(Roll.of(ROLL.lines()).members()).isEqualTo(Members.UNKNOWN);
        try (TemporaryFolder folder = TemporaryFolder.create("marker")) {
            Marker marker = new Marker("n1", "d1", roll);
            marker.write(folder.path());
            assertThat(Marker.read(folder.path(), "n1")).isEqualTo(marker);
            Marker joining = Marker.fresh("n1").joining().boundTo(1);
            joining.write(folder.path());
            assertThat(Marker.read(folder.path(), "n1")).isEqualTo(joining);
            assertThat(joining.joins()).isTrue();
        }
    }

    @Test
    void aDiskThatJoinsIsTakenInWhenTheLogNamesIt() {
        Marker joining = new Marker("n4", "d4", ROLL, 0, true);
        assertThat(joining.beat()).as("it counts nothing before").isEqualTo(joining);
        assertThat(joining.configured(FIRST).joins()).isTrue();

        Marker member = joining.configured(LATER);

        assertThat(member.joins()).isFalse();
        assertThat(member.isOut()).isFalse();
        assertThat(member.own()).isEqualTo(disk(90, "d4", 0));
        assertThat(member.beat().own()).isEqualTo(disk(90, "d4", 1));
        assertThat(joining.with(ROLL.merged(ROLL.configured(LATER))).joins()).isFalse();
    }

    @Test
    void aMemberThatWasLeftOutOrReplacedIsOutAndBeatsNoMore() {
        Marker n3 = new Marker("n3", "d3", ROLL.configured(FIRST));
        assertThat(n3.isOut()).isFalse();
        assertThat(new Marker("n3", "d3", ROLL).isOut()).as("nothing is known").isFalse();

        assertThat(n3.configured(LATER).isOut()).isTrue();
        Marker replaced = n3.configured(new Members(90, List.of(N1, N2, new Peer(N3.member(), "d8"))));
        assertThat(replaced.isOut()).isTrue();
        assertThat(replaced.beat()).as("another's beats").isEqualTo(replaced);
    }

    @Test
    void whoWasLeftOutDoesNotStart() {
        Marker out = new Marker("n3", "d3", ROLL.configured(LATER));
        Roll others = ROLL.configured(LATER);

        assertRefused(out, others, "it is none of the quorum's members any more, which are [n1=h1:7400/7401");
        Marker replaced =
                new Marker("n3", "d3", ROLL).configured(new Members(90, List.of(N1, N2, new Peer(N3.member(), "d8"))));
        assertRefused(replaced, ROLL, "the quorum knows n3 by the disk d8, and this one is d3: --rejoin");
    }

    @Test
    void whoKnowsAnOlderListObjectsToNobody() {
        Marker n4 = new Marker("n4", "d4", ROLL.configured(LATER));
        Members members = n4.roll().members();
        Roll behind = ROLL.configured(FIRST);

        assertThat(Admission.of(n4, members.members(), Map.of("n1", behind))).isInstanceOf(Admission.Admitted.class);
        Roll ahead = ROLL.configured(new Members(91, members.peers()));
        assertRefused(new Marker("n4", "d4", ROLL), ahead.with("n4", disk(1, "d5", 0)), "wiped or replaced");
    }

    @Test
    void oneThatJoinsWaitsForAMemberAndOneWhoseStartWasCutOffForAMajority() {
        Marker fresh = new Marker("n4", "d4", Roll.EMPTY, 0, true);
        List<Member> members = FIRST.members();
        assertThat(Admission.of(fresh, members, Map.of("n5", Roll.EMPTY))).isInstanceOf(Admission.Wait.class);
        Roll told = ROLL.configured(FIRST);
        assertThat(Admission.of(fresh, members, Map.of("n1", told))).isEqualTo(new Admission.Admitted(told));

        Marker again = new Marker("n4", "d4", told, 0, true);
        assertThat(Admission.of(again, members, Map.of("n1", told))).isInstanceOf(Admission.Wait.class);
        assertThat(Admission.of(again, members, Map.of("n1", told, "n5", told))).isInstanceOf(Admission.Wait.class);
        assertThat(Admission.of(again, members, Map.of("n1", told, "n2", told))).isInstanceOf(Admission.Admitted.class);
        assertRefused(again, told.inCluster("c2"), "belongs to the quorum c1");
        assertRefused(again, told.with("n4", disk(90, "d4", 3)), "put back from a copy");
    }

    private static void assertRefused(Marker own, Roll its, String why) {
        List<Member> members =
                own.roll().members().areKnown() ? own.roll().members().members() : FIRST.members();
        assertThat(Admission.of(own, members, Map.of("n1", its)))
                .isInstanceOfSatisfying(
                        Admission.Refused.class,
                        refused -> assertThat(refused.why()).contains(why));
    }

    private static RaftPeerProto peer(String id, String raft, String clients) {
        RaftPeerProto.Builder peer =
                RaftPeerProto.newBuilder().setId(ByteString.copyFromUtf8(id)).setAddress(raft);
        Optional.of(clients).filter(text -> !text.isEmpty()).ifPresent(peer::setClientAddress);
        return peer.build();
    }

    private static Roll.Disk disk(long generation, String id, long beats) {
        return new Roll.Disk(generation, id, beats);
    }
}
