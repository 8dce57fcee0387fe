package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The client's thread looks for another server before anybody else hears that a connection ended. */
class OneConnectionHostsTest {
    private static final String BOTH = "127.0.0.1:1001,127.0.0.1:1002";

    @Test
    void beforeItIsConnectedAHandleTriesOneServerAfterTheOther() {
        OneConnectionHosts hosts = OneConnectionHosts.ofAll(BOTH);

        List<Integer> tried = Stream.of(hosts.next(0), hosts.next(0))
                .map(InetSocketAddress::getPort)
                .toList();

        assertThat(tried).containsExactlyInAnyOrder(1001, 1002);
        assertThat(hosts.size()).isEqualTo(2);
    }

    @Test
    void onceItWasConnectedAHandleFindsNoServerAndItsThreadWaitsForItsEnd() {
        OneConnectionHosts hosts = OneConnectionHosts.ofAll(BOTH);
        hosts.next(0);
        hosts.onConnected();

        CompletableFuture<InetSocketAddress> other = CompletableFuture.supplyAsync(() -> hosts.next(0));
        assertThat(other).isNotDone();
        hosts.end();

        assertThatThrownBy(other::join).hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void aServerThatWasChosenIsTriedOnce() {
        InetSocketAddress chosen = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1001);
        OneConnectionHosts hosts = OneConnectionHosts.ofOne(chosen);
        hosts.end();

        assertThat(hosts.next(0)).isEqualTo(chosen);
        assertThat(hosts.tried()).contains(chosen);
        assertThatThrownBy(() -> hosts.next(0)).isInstanceOf(IllegalStateException.class);
    }

    /** As an address that is resolved has it; nobody asks for the name again. */
    @Test
    void aServerThatWasChosenKeepsTheNameByWhichItWasFound() throws UnknownHostException {
        InetAddress named = InetAddress.getByAddress("nowhere.invalid", new byte[] {127, 0, 0, 1});
        OneConnectionHosts hosts = OneConnectionHosts.ofOne(new InetSocketAddress(named, 1001));

        InetSocketAddress tried = hosts.next(0);

        assertThat(tried.getHostString()).isEqualTo("nowhere.invalid");
        assertThat(tried.getAddress()).isEqualTo(named);
    }
}
