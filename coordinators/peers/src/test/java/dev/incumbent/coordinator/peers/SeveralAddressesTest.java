package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A member whose host name has two addresses, of which it listens at the second alone. The JDK takes the name from the file {@code hosts} of the test's resources. */
@Tag("realtime")
class SeveralAddressesTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String HOST = "several.test";
    private static final String FIRST = "127.0.0.3";

    private final List<Integer> ports = FreePorts.some(2);
    private final MemberId lesser = new MemberId("127.0.0.1:" + ports.get(0));
    private final MemberId greater = new MemberId(HOST + ":" + ports.get(1));
    private final List<SocketTransport> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(SocketTransport::close);
    }

    @Test
    void anAddressThatRefusesConnectionsIsLeftForTheNext() throws IOException {
        assertThat(InetAddress.getAllByName(HOST))
                .extracting(InetAddress::getHostAddress)
                .containsExactly(FIRST, "127.0.0.1");

        theyMeet();
    }

    /** It takes the connection, as a host whose process hangs. */
    @Test
    void anAddressThatGreetsNobodyIsLeftForTheNext() throws IOException {
        try (ServerSocket silent = new ServerSocket(ports.get(1), 50, InetAddress.getByName(FIRST))) {
            assertThat(silent.isBound()).isTrue();
            theyMeet();
        }
    }

    /** As where an address was given to another group since. */
    @Test
    void anAddressWhereSomebodyElseAnswersIsLeftForTheNext() throws IOException {
        try (ServerSocket other = new ServerSocket(ports.get(1), 50, InetAddress.getByName(FIRST))) {
            Thread answers = new Thread(() -> answerNonsense(other));
            answers.setDaemon(true);
            answers.start();
            theyMeet();
        }
    }

    @Test
    void aQuestionGoesToTheAddressThatTakesTheConnection() throws Exception {
        open(greater, "&listen=127.0.0.1:" + ports.get(1));

        PeerStanding told = new AskedPeers(uri(lesser, ""), SOON)
                .ask(greater, new PeerQuestion.HowItStands())
                .get(2 * SOON.toSeconds(), TimeUnit.SECONDS);

        assertThat(told.member()).isEqualTo(greater);
    }

    private void theyMeet() {
        Heard ofGreater = open(greater, "&listen=127.0.0.1:" + ports.get(1));
        Heard ofLesser = open(lesser, "");

        assertThat(Waiting.within(SOON, () -> !ofLesser.connected.isEmpty() && !ofGreater.connected.isEmpty()))
                .as("they are connected; told " + ofLesser.troubles + " and " + ofGreater.troubles)
                .isTrue();
    }

    private static void answerNonsense(ServerSocket at) {
        try {
            while (true) {
                try (Socket dialled = at.accept()) {
                    PeerFrames.write(
                            PeerConnection.writing(dialled),
                            PeerFrames.REFUSAL,
                            "you are not of us".getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException ended) {
            // The test is over.
        }
    }

    private PeersUri uri(MemberId me, String more) {
        return PeersUri.of("peers+bully://" + lesser + "," + greater + "?me=" + me + more);
    }

    private Heard open(MemberId me, String more) {
        PeersUri uri = uri(me, more);
        SocketTransport transport = new SocketTransport(
                uri,
                new PeerGreeting(
                        PeerKind.BULLY,
                        new ElectionName("billing"),
                        uri.groupOf(me).ring(),
                        me,
                        me,
                        new Candidate(new CandidateId(me.value() + "@x-1-2"), me.value(), "")));
        opened.add(transport);
        Heard heard = new Heard(me);
        transport.open(heard);
        return heard;
    }

    /** What one member has heard. */
    private static final class Heard implements PeerTransport.Receiver {
        private final MemberId me;
        private final List<String> connected = new CopyOnWriteArrayList<>();
        private final List<String> troubles = new CopyOnWriteArrayList<>();

        Heard(MemberId me) {
            this.me = me;
        }

        @Override
        public void connected(MemberId member, Candidate candidate) {
            connected.add(candidate.name());
        }

        @Override
        public void received(MemberId from, byte[] message) {}

        @Override
        public PeerStanding asked(PeerQuestion question) {
            return new PeerStanding(
                    PeerKind.BULLY,
                    new ElectionName("billing"),
                    me,
                    new Candidate(new CandidateId(me.value() + "@x-1-2"), me.value(), ""),
                    1,
                    false,
                    Duration.ZERO,
                    Duration.ZERO,
                    Instant.EPOCH);
        }

        @Override
        public void trouble(String what) {
            troubles.add(what);
        }
    }
}
