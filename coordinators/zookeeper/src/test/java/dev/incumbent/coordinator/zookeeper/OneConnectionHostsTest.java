package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
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
        OneConnectionHosts hosts = OneConnectionHosts.ofOne("127.0.0.1:1001");
        hosts.end();

        assertThat(hosts.next(0).getPort()).isEqualTo(1001);
        assertThatThrownBy(() -> hosts.next(0)).isInstanceOf(IllegalStateException.class);
    }
}
