package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections between members, and who is refused. */
@Tag("realtime")
class SocketTransportTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String GROUP = "billing/closer";

    @TempDir
    Path folder;

    private final List<String> ids =
            FreePorts.some(2).stream().sorted().map(port -> "127.0.0.1:" + port).toList();
    private final MemberId lesser = new MemberId(ids.get(0));
    private final MemberId greater = new MemberId(ids.get(1));
    private final List<SocketTransport> opened = new ArrayList<>();

    @AfterEach
    void closeAll() {
        opened.forEach(SocketTransport::close);
    }

    @Test
    void membersReachEachOtherInBothDirectionsAndAgainAfterOneHasRestarted() {
        Heard ofLesser = open(lesser, GROUP, "");
        Heard ofGreater = open(greater, GROUP, "");
        exchange(ofLesser, ofGreater);

        Heard again = ofGreater;
        for (int restarts = 0; restarts < 50; restarts++) {
            again.transport.close();
            again = open(greater, GROUP, "");
        }

        exchange(ofLesser, again);
    }

    @Test
    void membersThatShowCertificatesReachEachOther() {
        try (ServerCertificate certificate = ServerCertificate.create()) {
            Heard ofLesser = open(lesser, GROUP, tls(certificate));
            Heard ofGreater = open(greater, GROUP, tls(certificate));

            exchange(ofLesser, ofGreater);
        }
    }

    @Test
    void aMemberWhoseCertificateIsNotTrustedIsRefusedAndBothAreToldWhy() {
        try (ServerCertificate one = ServerCertificate.create();
                ServerCertificate other = ServerCertificate.create()) {
            refusedByTls(open(lesser, GROUP, tls(one)), open(greater, GROUP, tls(other)));
        }
    }

    @Test
    void aMemberThatIsNotTrustedWhereItDialsIsRefusedAndBothAreToldWhy() throws IOException {
        try (ServerCertificate one = ServerCertificate.create();
                ServerCertificate other = ServerCertificate.create()) {
            Path both = folder.resolve("both.pem");
            Files.writeString(both, Files.readString(one.file()) + Files.readString(other.file()));
            Heard ofLesser =
                    open(lesser, GROUP, "&tls-ca=" + both + "&tls-cert=" + one.file() + "&tls-key=" + one.key());

            refusedByTls(ofLesser, open(greater, GROUP, tls(other)));
        }
    }

    @Test
    void whoeverIsDialledAndLeavesWithoutAWordFailsItsTls() throws IOException {
        try (ServerCertificate certificate = ServerCertificate.create();
                ServerSocket dialled = new ServerSocket(portOf(ids.get(1)), 1, InetAddress.getLoopbackAddress())) {
            dialled.setSoTimeout((int) SOON.toMillis());
            PeersUri uri = PeersUri.of("peers+bully://" + String.join(",", ids) + "?me=" + greater + tls(certificate));
            Heard ofLesser = open(lesser, GROUP, tls(certificate));
            String why = "the member " + greater + " at " + greater
                    + " does not take part: its TLS fails: the other end has left";

            Socket within = dialled.accept();
            assertThat(within.getInputStream().read()).isPositive();
            leave(within);
            assertThat(Waiting.within(SOON, () -> ofLesser.tells(why)))
                    .as("told, within a handshake: " + ofLesser.troubles)
                    .isTrue();
            int told = ofLesser.troubles.size();

            Socket after = dialled.accept();
            assertThat(uri.tls().orElseThrow().accepted(after).getSession().isValid())
                    .isTrue();
            leave(after);
            assertThat(Waiting.within(
                            SOON,
                            () -> ofLesser.troubles.size() > told
                                    && ofLesser.troubles.get(told).startsWith(why)))
                    .as("told, after one: " + ofLesser.troubles)
                    .isTrue();
        }
    }

    @Test
    void whoeverDialsAndLeavesWithoutAWordFailsItsTls() throws IOException {
        try (ServerCertificate certificate = ServerCertificate.create()) {
            Heard ofGreater = open(greater, GROUP, tls(certificate));
            Socket dials = new Socket(InetAddress.getLoopbackAddress(), portOf(ids.get(1)));
            dials.getOutputStream().write(22); // a handshake begins
            leave(dials);

            String why = "a connection from 127.0.0.1 was refused: its TLS fails: the other end has left";
            assertThat(Waiting.within(SOON, () -> ofGreater.tells(why)))
                    .as("told " + ofGreater.troubles)
                    .isTrue();
        }
    }

    /** By a reset, which throws away what was not read. */
    private static void leave(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    private void refusedByTls(Heard ofLesser, Heard ofGreater) {
        String lesserTells = "the member " + greater + " at " + greater + " does not take part: its TLS fails: ";
        String greaterTells = "a connection from 127.0.0.1 was refused: its TLS fails: ";
        assertThat(Waiting.within(SOON, () -> ofLesser.tells(lesserTells) && ofGreater.tells(greaterTells)))
                .as("told " + ofLesser.troubles + " and " + ofGreater.troubles)
                .isTrue();
        assertThat(ofLesser.connected).isEmpty();
        assertThat(ofGreater.connected).isEmpty();
    }

    @Test
    void aMemberThatCallsItselfByAnotherHostThanItsCertificateIsRefused() throws IOException {
        try (ServerCertificate here = ServerCertificate.create();
                ServerCertificate elsewhere = ServerCertificate.naming("IP:127.0.0.2")) {
            Path both = folder.resolve("both.pem");
            Files.writeString(both, Files.readString(here.file()) + Files.readString(elsewhere.file()));
            open(lesser, GROUP, "&tls-ca=" + both + "&tls-cert=" + elsewhere.file() + "&tls-key=" + elsewhere.key());
            Heard ofGreater =
                    open(greater, GROUP, "&tls-ca=" + both + "&tls-cert=" + here.file() + "&tls-key=" + here.key());

            String why = "it calls itself " + lesser + ", and its certificate does not name 127.0.0.1";
            assertThat(Waiting.within(SOON, () -> ofGreater.tells(why)))
                    .as("told " + ofGreater.troubles)
                    .isTrue();
            assertThat(ofGreater.connected).isEmpty();
        }
    }

    @Test
    void aMemberOfAnotherGroupIsRefusedAndBothAreToldWhy() {
        Heard ofLesser = open(lesser, GROUP, "");
        Heard ofGreater = open(greater, "other", "");

        String why = lesser + " belongs to the group " + GROUP + ", and " + greater + " to other";
        assertThat(Waiting.within(SOON, () -> ofGreater.tells(why) && ofLesser.tells(why)))
                .as("told " + ofLesser.troubles + " and " + ofGreater.troubles)
                .isTrue();
        assertThat(ofGreater.connected).isEmpty();
    }

    @Test
    void strangersWhoSayNothingOrNonsenseKeepNoMemberOut() throws IOException {
        Heard ofGreater = open(greater, GROUP, "");
        List<Socket> strangers = new ArrayList<>();
        SplittableRandom draws = new SplittableRandom(1);
        for (int i = 0; i < 100; i++) {
            Socket stranger = new Socket(InetAddress.getLoopbackAddress(), portOf(ids.get(1)));
            strangers.add(stranger);
            byte[] nonsense = new byte[draws.nextInt(200)];
            draws.nextBytes(nonsense);
            try {
                stranger.getOutputStream().write(nonsense);
            } catch (IOException refusedAlready) {
                assertThat(refusedAlready).isNotNull();
            }
        }

        Heard ofLesser = open(lesser, GROUP, "");

        exchange(ofLesser, ofGreater);
        for (Socket stranger : strangers) {
            stranger.close();
        }
    }

    @Test
    void aStrangerWhoGreetsByteByByteIsLeftInTheEnd() throws IOException {
        open(greater, GROUP, "");
        try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), portOf(ids.get(1)))) {
            assertThat(Waiting.within(SOON, () -> {
                        try {
                            stranger.getOutputStream().write(127); // of a frame of 32639 bytes
                            return false;
                        } catch (IOException ended) {
                            return true;
                        }
                    }))
                    .as("the connection has ended")
                    .isTrue();
        }
    }

    @Test
    void anAddressInACertificateIsComparedAsAnAddress() throws IOException, CertificateException {
        try (ServerCertificate made = ServerCertificate.naming("IP:0:0:0:0:0:0:0:1");
                InputStream in = Files.newInputStream(made.file())) {
            X509Certificate certificate =
                    (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);

            assertThat(PeerTls.names(certificate, "::1")).isTrue();
            assertThat(PeerTls.names(certificate, "::2")).isFalse();
            assertThat(PeerTls.names(certificate, "localhost")).isFalse();
        }
    }

    @Test
    void membersAtIpv6AddressesShowCertificatesToEachOther() {
        List<String> both =
                FreePorts.some(2).stream().sorted().map(port -> "[::1]:" + port).toList();
        try (ServerCertificate certificate = ServerCertificate.naming("IP:0:0:0:0:0:0:0:1")) {
            Heard ofLesser = open(both, new MemberId(both.get(0)), GROUP, tls(certificate));
            Heard ofGreater = open(both, new MemberId(both.get(1)), GROUP, tls(certificate));

            assertThat(Waiting.within(SOON, () -> !ofLesser.connected.isEmpty() && !ofGreater.connected.isEmpty()))
                    .as("they are connected; told " + ofLesser.troubles + " and " + ofGreater.troubles)
                    .isTrue();
        }
    }

    @Test
    void aFlushTakesItsBoundOnceHoweverManyMembersDoNotRead() throws IOException, MessageException {
        List<String> all = FreePorts.some(3).stream()
                .sorted()
                .map(port -> "127.0.0.1:" + port)
                .toList();
        byte[] message = new byte[PeerFrames.LONGEST];
        try (ServerSocket one = new ServerSocket(portOf(all.get(1)), 1, InetAddress.getLoopbackAddress());
                ServerSocket other = new ServerSocket(portOf(all.get(2)), 1, InetAddress.getLoopbackAddress());
                SystemTimeline time = new SystemTimeline()) {
            Heard me = open(all, new MemberId(all.get(0)), GROUP, "");
            try (Socket deaf = greeted(one);
                    Socket alsoDeaf = greeted(other)) {
                assertThat(Waiting.within(SOON, () -> me.connected.size() == 2)).isTrue();
                for (int i = 0; i < 2_000; i++) {
                    me.transport.send(new MemberId(all.get(1)), message);
                    me.transport.send(new MemberId(all.get(2)), message);
                    LockSupport.parkNanos(100_000);
                }

                long before = time.nanos();
                me.transport.flush(Duration.ofMillis(800));
                long took = Duration.ofNanos(time.nanos() - before).toMillis();

                assertThat(took).as("ms, with " + deaf + " and " + alsoDeaf).isBetween(750L, 1_500L);
            }
        }
    }

    /** The next who dials, after an answer in which the member that was dialled greets. */
    private static Socket greeted(ServerSocket at) throws IOException, MessageException {
        at.setSoTimeout((int) SOON.toMillis());
        Socket dialled = at.accept();
        PeerGreeting theirs = PeerGreeting.CODEC.read(
                PeerFrames.read(PeerConnection.reading(dialled)).body());
        DataOutputStream out = PeerConnection.writing(dialled);
        PeerFrames.write(
                out,
                PeerFrames.GREETING,
                PeerGreeting.CODEC.written(new PeerGreeting(
                        theirs.kind(), theirs.group(), theirs.ring(), theirs.to(), theirs.from(), theirs.candidate())));
        out.flush();
        return dialled;
    }

    private static int portOf(String member) {
        return Integer.parseInt(member.substring(member.lastIndexOf(':') + 1));
    }

    private static String tls(ServerCertificate certificate) {
        return "&tls-ca=" + certificate.file() + "&tls-cert=" + certificate.file() + "&tls-key=" + certificate.key();
    }

    private Heard open(MemberId me, String group, String more) {
        return open(ids, me, group, more);
    }

    private Heard open(List<String> members, MemberId me, String group, String more) {
        PeersUri uri = PeersUri.of("peers+bully://" + String.join(",", members) + "?me=" + me + more);
        SocketTransport transport = new SocketTransport(
                uri,
                new PeerGreeting(
                        PeerKind.BULLY,
                        new ElectionName(group),
                        uri.groupOf(me).ring(),
                        me,
                        me,
                        new Candidate(new CandidateId(me.value() + "@x-1-2"), me.value(), "")));
        opened.add(transport);
        Heard heard = new Heard(transport);
        transport.open(heard);
        return heard;
    }

    /** Each sends the other something until it arrives. */
    private void exchange(Heard ofLesser, Heard ofGreater) {
        assertThat(Waiting.within(SOON, () -> {
                    ofLesser.transport.send(greater, "up".getBytes(StandardCharsets.UTF_8));
                    ofGreater.transport.send(lesser, "down".getBytes(StandardCharsets.UTF_8));
                    return ofGreater.messages.contains(lesser + " says up")
                            && ofLesser.messages.contains(greater + " says down");
                }))
                .as("both are heard; told " + ofLesser.troubles + " and " + ofGreater.troubles)
                .isTrue();
        assertThat(ofGreater.connected).contains(lesser.value());
        ofLesser.messages.clear();
    }

    /** What one member has heard. */
    private static final class Heard implements PeerTransport.Receiver {
        private final SocketTransport transport;
        private final List<String> connected = new CopyOnWriteArrayList<>();
        private final List<String> messages = new CopyOnWriteArrayList<>();
        private final List<String> troubles = new CopyOnWriteArrayList<>();

        Heard(SocketTransport transport) {
            this.transport = transport;
        }

        boolean tells(String why) {
            return troubles.stream().anyMatch(one -> one.contains(why));
        }

        @Override
        public void connected(MemberId member, Candidate candidate) {
            connected.add(candidate.name());
        }

        @Override
        public void received(MemberId from, byte[] message) {
            messages.add(from + " says " + new String(message, StandardCharsets.UTF_8));
        }

        @Override
        public PeerStanding asked(PeerQuestion question) {
            throw new AssertionError("nobody asks");
        }

        @Override
        public void trouble(String what) {
            troubles.add(what);
        }
    }
}
