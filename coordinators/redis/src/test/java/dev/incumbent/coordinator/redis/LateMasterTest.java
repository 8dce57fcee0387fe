package dev.incumbent.coordinator.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.model.LeaseId;
import dev.incumbent.redis.RedisUri;
import dev.incumbent.redis.ServerAddress;
import dev.incumbent.servers.RedisServer;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A lease that two of three masters have, and the third has not yet, looked at while one of the two answers late, or not at all. */
@Tag("realtime")
class LateMasterTest {
    private static final LeaseId LEASE = new LeaseId("granted-at-two");
    private static final Duration LENGTH = Duration.ofMinutes(1);
    private static final Duration PATIENCE = Duration.ofSeconds(6);

    private final SystemTimeline time = new SystemTimeline();
    private final Keys keys = new Keys("late");
    private final List<RedisServer> servers = RedisServer.startMasters(3);
    private final List<TcpProxy> wires =
            servers.stream().map(server -> TcpProxy.to(server.port())).toList();
    private final Masters masters = new Masters("late", addresses(), time, PATIENCE);

    @AfterEach
    void close() {
        masters.close();
        wires.forEach(TcpProxy::close);
        servers.forEach(RedisServer::close);
        time.close();
    }

    @Test
    void whoAnswersLateDecidesAndNothingIsBuried() {
        grantedAt(0, LENGTH);
        grantedAt(1, LENGTH);
        wires.get(1).slowAnswers(Duration.ofMillis(500));

        Seen.Lease seen = look();

        assertThat(seen.isAlive()).isTrue();
        assertThat(seen.remaining()).isPresent();
        assertThat(servers.get(2).ask("GET", keys.lease(LEASE))).contains("$-1");
    }

    /** Nobody knows: it counts as alive for others, and nobody may build on it. The answer comes long before the deadline. */
    @Test
    void whoNeverAnswersIsWaitedForForATimeOnly() {
        grantedAt(0, LENGTH);
        grantedAt(1, LENGTH);
        wires.get(1).cut(TcpProxy.Fault.SILENT);
        long begun = time.nanos();

        Seen.Lease seen = look();

        assertThat(seen.isAlive()).isTrue();
        assertThat(seen.remaining()).isEmpty();
        assertThat(Duration.ofNanos(time.nanos() - begun)).isLessThan(PATIENCE);
    }

    /** Two have heard the keep-alive, one of them answers late; the third has yet to hear it. */
    @Test
    void whatIsLeftIsToldAsAMajorityHasItAlsoWhereOneOfThemAnswersLate() {
        grantedAt(0, LENGTH);
        grantedAt(1, LENGTH);
        grantedAt(2, LENGTH.dividedBy(3));
        wires.get(1).slowAnswers(Duration.ofMillis(500));

        Seen.Lease seen = look();

        assertThat(seen.remaining()).hasValueSatisfying(left -> assertThat(left).isGreaterThan(LENGTH.dividedBy(2)));
    }

    /** Redlock's allowance is a hundredth of the whole lease, and not of what is left. */
    @Test
    void whatIsLeftIsWhatItsHolderCounts() {
        grantedAt(0, LENGTH);
        grantedAt(1, LENGTH);
        grantedAt(2, LENGTH);
        for (int i = 0; i < 3; i++) {
            servers.get(i)
                    .ask(
                            "PEXPIRE",
                            keys.lease(LEASE),
                            Long.toString(LENGTH.dividedBy(3).toMillis()));
        }

        Seen.Lease seen = look();

        assertThat(seen.remaining())
                .hasValueSatisfying(left ->
                        assertThat(left).isLessThanOrEqualTo(LENGTH.dividedBy(3).minus(LENGTH.dividedBy(100))));
    }

    private void grantedAt(int index, Duration length) {
        String millis = Long.toString(length.toMillis());
        String text = millis + " ada";
        assertThat(servers.get(index).ask("EVAL", Script.GRANT.text(), "1", keys.lease(LEASE), text, millis))
                .contains(":1");
    }

    private Seen.Lease look() {
        Map<LeaseId, Seen.Lease> seen = new MajorityLeases(masters, keys)
                .look(List.of(LEASE), time.nanos() + PATIENCE.toNanos())
                .orTimeout(PATIENCE.toSeconds() * 2, TimeUnit.SECONDS)
                .join();
        return Objects.requireNonNull(seen.get(LEASE));
    }

    private List<ServerAddress> addresses() {
        String ports = wires.stream().map(wire -> "127.0.0.1:" + wire.port()).collect(Collectors.joining(","));
        return RedisUri.parse("redlock://" + ports, Optional.empty()).servers();
    }
}
