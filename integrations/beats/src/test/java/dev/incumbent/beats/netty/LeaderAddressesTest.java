package dev.incumbent.beats.netty;

import static dev.incumbent.beats.netty.NettyBeatsTest.addresses;
import static dev.incumbent.beats.netty.NettyBeatsTest.lookingUp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.beats.BeatEvent;
import dev.incumbent.beats.BeatTransport;
import dev.incumbent.beats.Peer;
import dev.incumbent.model.CandidateId;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.ServerSocket;
import java.net.SocketException;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which addresses of a host say that a process on it is gone. At one of them somebody else listens, who lets nobody in: it says as little as one that is not reached. */
@Tag("realtime")
@Timeout(60)
class LeaderAddressesTest {
    private static final CandidateId ADA = new CandidateId("ada");
    private static final CandidateId BOB = new CandidateId("bob");

    private final BlockingQueue<BeatEvent> heard = new LinkedBlockingQueue<>();
    private final BeatTransport bob =
            lookingUp(host -> addresses("127.0.0.3", "127.0.0.1")).open(BOB);

    @AfterEach
    void close() {
        bob.close();
    }

    @Test
    void aHostRefusesWhereAllItsAddressesDo() throws Exception {
        bob.begin(heard::add);
        Peer ada;
        try (ServerSocket stranger = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.3"))) {
            ada = new Peer(ADA, "several:" + stranger.getLocalPort());
            dial(ada);
            stranger.accept().close();

            assertThat(next()).isEqualTo(new BeatEvent.Unreached(ada, false));
        }
        dial(ada);

        assertThat(next()).isEqualTo(new BeatEvent.Unreached(ada, true));
    }

    @Test
    void theAddressAtWhichItWasReachedAloneSaysWhetherItIsGone() throws Exception {
        bob.begin(heard::add);
        BeatTransport ada = ada();
        try (ServerSocket stranger = strangerBeside(ada)) {
            Peer dialled = new Peer(ADA, "several:" + stranger.getLocalPort());
            dial(dialled);
            stranger.accept().close();
            assertThat(next()).isInstanceOf(BeatEvent.Connected.class);

            ada.close();
            assertThat(next()).isInstanceOf(BeatEvent.Disconnected.class);
            dial(dialled);

            assertThat(next()).isEqualTo(new BeatEvent.Unreached(dialled, true));
            assertNothingIsKnownOfAnother(stranger);
        }
    }

    /** A process that dials comes from an address at which it need not listen: that one says as little as any other. */
    @Test
    void whereAProcessDialledFromSaysNothing() throws Exception {
        bob.begin(heard::add);
        BeatTransport ada = ada();
        try (ServerSocket stranger = strangerBeside(ada)) {
            Peer toDial = new Peer(ADA, "several:" + stranger.getLocalPort());
            ada.execute(() -> ada.dial(new Peer(BOB, bob.address())));
            assertThat(next()).isInstanceOf(BeatEvent.Connected.class);

            ada.close();
            assertThat(next()).isInstanceOf(BeatEvent.Disconnected.class);
            dial(toDial);
            stranger.accept().close();

            assertThat(next()).isEqualTo(new BeatEvent.Unreached(toDial, false));
        }
    }

    /** A process that is started anew has another id, and may listen elsewhere: each address is asked. */
    private void assertNothingIsKnownOfAnother(ServerSocket stranger) throws Exception {
        Peer another = new Peer(new CandidateId("cay"), "several:" + stranger.getLocalPort());
        dial(another);
        stranger.accept().close();

        assertThat(next()).isEqualTo(new BeatEvent.Unreached(another, false));
    }

    private static BeatTransport ada() throws IOException {
        BeatTransport ada = NettyBeats.listen("127.0.0.1:0").build().open(ADA);
        ada.begin(event -> {});
        return ada;
    }

    private static ServerSocket strangerBeside(BeatTransport ada) throws IOException {
        return new ServerSocket(HostPort.of(ada.address()).port(), 50, InetAddress.getByName("127.0.0.3"));
    }

    private void dial(Peer peer) {
        bob.execute(() -> bob.dial(peer));
    }

    private BeatEvent next() throws InterruptedException {
        return Objects.requireNonNull(heard.poll(10, TimeUnit.SECONDS), "nothing was told within 10 s");
    }

    /** A host that refuses says that nobody listens there; one that says nothing, or is not reached, does not. */
    @Test
    void onlyARefusalIsOne() {
        assertThat(NettyTransport.isRefused(new ConnectException("Connection refused")))
                .isTrue();
        assertThat(NettyTransport.isRefused(new ConnectTimeoutException("connection timed out")))
                .isFalse();
        assertThat(NettyTransport.isRefused(new NoRouteToHostException())).isFalse();
        assertThat(NettyTransport.isRefused(new SocketException("Network is unreachable")))
                .isFalse();
    }
}
