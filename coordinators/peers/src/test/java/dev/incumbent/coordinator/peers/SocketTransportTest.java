package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.ServerCertificate;
import dev.incumbent.servers.Waiting;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
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

        ofGreater.transport.close();
        Heard again = open(greater, GROUP, "");

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
    void aMemberWhoseCertificateIsNotTrustedIsRefused() {
        try (ServerCertificate one = ServerCertificate.create();
                ServerCertificate other = ServerCertificate.create()) {
            Heard ofLesser = open(lesser, GROUP, tls(one));
            Heard ofGreater = open(greater, GROUP, tls(other));

            assertThat(Waiting.within(
                            Duration.ofSeconds(3),
                            () -> !ofLesser.connected.isEmpty() || !ofGreater.connected.isEmpty()))
                    .as("they are connected")
                    .isFalse();
            assertThat(ofLesser.tells(
                            "the member " + greater + " at " + greater + " does not take part: its TLS fails: "))
                    .as("the lesser one is told " + ofLesser.troubles)
                    .isTrue();
            assertThat(ofGreater.tells("a connection from 127.0.0.1 was refused: its TLS fails: "))
                    .as("the greater one is told " + ofGreater.troubles)
                    .isTrue();
        }
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
            Socket stranger = new Socket(
                    InetAddress.getLoopbackAddress(),
                    Integer.parseInt(ids.get(1).split(":", 2)[1]));
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
        try (Socket stranger = new Socket(
                InetAddress.getLoopbackAddress(), Integer.parseInt(ids.get(1).split(":", 2)[1]))) {
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

    private static String tls(ServerCertificate certificate) {
        return "&tls-ca=" + certificate.file() + "&tls-cert=" + certificate.file() + "&tls-key=" + certificate.key();
    }

    private Heard open(MemberId me, String group, String more) {
        PeersUri uri = PeersUri.of("peers+bully://" + String.join(",", ids) + "?me=" + me + more);
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
