package dev.incumbent.coordinator.kubernetes;

import static dev.incumbent.coordinator.kubernetes.ScriptedWatch.session;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many probes a follower sends in a namespace where nobody but one leader keeps a lease alive. */
class FollowerProbesTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final LeaseId SESSION = Names.freshSession();
    private static final int LEASES = 10;

    /** A request timeout is an eighth of a lease, as in the usual timing. */
    private static final Duration LEASE = ScriptedWatch.REQUEST_TIMEOUT.multipliedBy(8);

    private final VirtualTimeline time = new VirtualTimeline();
    private final ScriptedWatch server = new ScriptedWatch();
    private final Leases leases = new Leases("ns");
    private final Sessions sessions =
            new Sessions(leases, new Failures("https://nowhere", "ns", () -> ""), time, Mode.CREATE, written -> {});
    private final LeaseWatch watch = new LeaseWatch(server, leases, sessions.vigil(), time, () -> 0);

    @AfterEach
    void close() {
        watch.close();
        server.close();
    }

    /** The number is in decision 0690. As a server does, this one ends a stream every two minutes. */
    @Test
    void aFollowerOfOneLeaderSends70ProbesInTenLeases() {
        watch.watch(BILLING, new Deaf());
        server.answer(10, List.of(ScriptedWatch.record(BILLING, 10, SESSION), session(SESSION, 8, LEASE)));
        Duration tick = ScriptedWatch.REQUEST_TIMEOUT.dividedBy(10);
        Duration renewal = LEASE.dividedBy(3);
        Duration whole = LEASE.multipliedBy(LEASES);
        int probes = 0;
        long position = 10;

        Duration sinceRenewal = tick.dividedBy(2);
        Duration sinceOpened = tick.dividedBy(2);
        for (Duration past = Duration.ZERO; past.compareTo(whole) < 0; past = past.plus(tick)) {
            time.advance(tick);
            sinceRenewal = sinceRenewal.plus(tick);
            if (sinceRenewal.compareTo(renewal) >= 0) {
                sinceRenewal = sinceRenewal.minus(renewal);
                server.stream().tell("MODIFIED", session(SESSION, ++position, LEASE));
            }
            sinceOpened = sinceOpened.plus(tick);
            if (sinceOpened.compareTo(Streaming.LIFE) >= 0) {
                sinceOpened = Duration.ZERO;
                server.stream().end(Ending.IN_ORDER);
            }
            while (!server.asked.isEmpty()) {
                assertThat(server.asked.element().isList()).isFalse();
                probes++;
                server.answer(position);
            }
        }

        assertThat(probes).isEqualTo(70);
    }

    /** Hears nothing. */
    private static final class Deaf implements Watcher {
        @Override
        public void changed(ObservedRecord record) {}

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
