package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.peers.MemberId;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a URI says, and why it is refused. */
class PeersUriTest {
    @TempDir
    Path folder;

    @Test
    void aMemberIsNamedByItsHostWhereNoOtherHasIt() {
        PeersUri uri =
                PeersUri.of("peers+raft://127.0.0.1:7501,localhost:7501,127.0.0.3:7501?me=localhost&data=" + folder);

        assertThat(uri.me()).contains(new MemberId("localhost:7501"));
        assertThat(uri.groupOf(uri.me().orElseThrow()).ring())
                .extracting(MemberId::value)
                .containsExactly("127.0.0.1:7501", "localhost:7501", "127.0.0.3:7501");
        assertThat(uri.data()).contains(folder);
        assertThat(uri.label()).isEqualTo("peers+raft://127.0.0.1:7501,localhost:7501,127.0.0.3:7501");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "peers+paxos://127.0.0.1,127.0.0.2|peers elect by peers+raft, peers+bully or peers+ring",
                "peers+raft://127.0.0.1|a group has 2 to 99 members, this one has 1",
                "peers+raft://127.0.0.1,127.0.0.1|the member 127.0.0.1:7500 stands in it twice",
                "peers+raft://127.0.0.1,127.0.0.2?me=127.0.0.2|add data=DIR",
                "peers+raft://127.0.0.1,127.0.0.2?me=c&data=d|me=c names none; name one of"
                        + " 127.0.0.1:7500,127.0.0.2:7500",
                "peers+raft://127.0.0.1:1,127.0.0.1:2?me=127.0.0.1&data=d|me=127.0.0.1 names 2 members",
                "peers+bully://127.0.0.1,127.0.0.2?me=127.0.0.1&data=d|a member of a bully keeps nothing; leave out"
                        + " data=d",
                "peers+raft://10.0.0.1,127.0.0.2|10.0.0.1:7500 is beyond this machine",
                "peers+raft://127.0.0.1,127.0.0.2?listen=0.0.0.0:7501|listen=0.0.0.0:7501 is open to other machines",
                "peers+raft://127.0.0.1,127.0.0.2?tls-ca=x|name tls-ca, tls-cert and tls-key, or none of them",
                "peers+raft://127.0.0.1,127.0.0.2?leader=x|the parameter 'leader' is unknown",
                "peers+raft://u@127.0.0.1,127.0.0.2|a group knows no users",
                "peers+raft://127.0.0.1,127.0.0.2/x|a group has no path",
            })
    void aWrongUriIsRefusedInASentence(String uri, String sentence) {
        assertThatThrownBy(() -> PeersUri.of(uri))
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining(sentence);
    }

    @Test
    void membersBeyondThisMachineAreReachedWithoutTlsOnlyByWhoSaysSo() {
        assertThat(PeersUri.of("peers+raft://10.0.0.1,10.0.0.2?insecure=true").isInsecure())
                .isTrue();
    }

    @Test
    void aBullyDoesNotCampaignUnlessToldThatItMayHaveTwoLeadersAndNeverGuardsASink() {
        var bully = PeerElections.connect("peers+bully://127.0.0.1:7501,127.0.0.1:7502?me=127.0.0.1:7501")
                .open()
                .election("billing/closer");

        assertThatThrownBy(bully::campaign)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageContaining("can have two leaders")
                .hasMessageContaining("two-leaders=true");
        assertThatThrownBy(bully::guarding).hasMessageContaining("has no token");
    }

    @Test
    void aGroupIsFoundedOnce() {
        String uri = "peers+raft://127.0.0.1:7501,127.0.0.1:7502?me=127.0.0.1:7501&data=" + folder;
        PeerElections.found(uri, "billing/closer");

        assertThatThrownBy(() -> PeerElections.found(uri, "billing/closer"))
                .hasMessageContaining("is a member of billing/closer in term 0: a group is founded once");
    }
}
