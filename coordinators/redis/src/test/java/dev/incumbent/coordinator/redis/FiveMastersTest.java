package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Of three masters any two that answer are a majority of all; of five, two of the three that answer are none. */
@Tag("realtime")
class FiveMastersTest {
    private static final String ONE = "one";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SystemTimeline time = new SystemTimeline();
    private final Keys keys = new Keys("five");
    private final List<RedisServer> servers = RedisServer.startMasters(5);
    private final List<TcpProxy> wires =
            servers.stream().map(server -> TcpProxy.to(server.port())).toList();
    private final Masters masters = new Masters("five", addresses(), time, Duration.ofSeconds(20));

    @AfterEach
    void close() {
        masters.close();
        wires.forEach(TcpProxy::close);
        servers.forEach(RedisServer::close);
        time.close();
    }

    @Test
    void whatTwoOfFiveAcceptedIsFinishedByWhoReadsIt() {
        acceptedAt(0);
        acceptedAt(1);
        cut(3, 4);

        assertThat(read()).isEqualTo("n1");
        heal(3, 4);
        cut(0, 1);
        assertThat(read()).isEqualTo("n1");
    }

    private void acceptedAt(int index) {
        List<String> words = new ArrayList<>(List.of("EVAL", Script.ACCEPT.text(), "2"));
        words.addAll(List.of(keys.register(ONE), keys.registers(), "1", "x", "n1", "of n1", "", ONE));
        assertThat(servers.get(index).ask(words.toArray(String[]::new))).contains(":1");
    }

    private String read() {
        long deadline = time.nanos() + PATIENCE.toNanos();
        return Optional.ofNullable(new Registers(masters, keys, time)
                        .read(List.of(ONE), deadline)
                        .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
                        .join()
                        .get(ONE))
                .orElseThrow()
                .nonce();
    }

    private void cut(int... those) {
        for (int index : those) {
            wires.get(index).cut(TcpProxy.Fault.REFUSED);
        }
    }

    private void heal(int... those) {
        for (int index : those) {
            wires.get(index).heal();
        }
    }

    private List<ServerAddress> addresses() {
        String ports = wires.stream().map(wire -> "127.0.0.1:" + wire.port()).collect(Collectors.joining(","));
        return RedisUri.parse("redlock://" + ports, Optional.empty()).servers();
    }
}
