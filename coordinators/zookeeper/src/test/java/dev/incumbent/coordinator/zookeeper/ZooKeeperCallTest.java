package dev.incumbent.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.servers.FreePorts;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of a call whose answer does not come, or comes in part. */
class ZooKeeperCallTest {
    private static final ZooKeeperUri ADDRESS = ZooKeeperUri.parse("zk://h/x", Map.of());

    private final SystemTimeline timeline = new SystemTimeline();
    private final Surroundings around = new Surroundings(
            ZooKeeperUri.parse("zk://127.0.0.1:" + FreePorts.one() + "/x", Map.of()),
            timeline,
            Duration.ofMinutes(1),
            Mode.CREATE,
            Owner.at(ADDRESS),
            new Turns());
    private final Links links = new Links();
    private final Connection connection = new Connection(around, links);
    private final ZooKeeperCall<String> call = new ZooKeeperCall<>(ADDRESS, true, 5);
    private final List<Runnable> alarms = new ArrayList<>();

    @AfterEach
    void close() {
        connection.leave();
        around.turns().close();
        timeline.close();
    }

    @Test
    void whatWasNotSentHasNotApplied() {
        comesToItsDeadline();

        assertFails("zk://h:2181/x could not be reached in time: no connection", false);
        assertThat(call.send(connection, 0)).as("may be sent").isFalse();
    }

    @Test
    void whatWasSentMayHaveApplied() {
        assertThat(call.send(connection, 0)).isTrue();

        comesToItsDeadline();

        assertFails("zk://h:2181/x did not answer in time", true);
    }

    @Test
    void whatWasRefusedHasNotAppliedUntilItIsSentAgain() {
        call.send(connection, 0);
        call.wasRefused();
        ZooKeeperCall<String> again = new ZooKeeperCall<>(ADDRESS, true, 5);
        again.send(connection, 0);
        again.wasRefused();
        assertThat(again.send(connection, 1)).isTrue();

        call.fail(Code.CONNECTIONLOSS, "enlisting");
        again.fail(Code.CONNECTIONLOSS, "enlisting");

        assertThat(failure(call).mayHaveApplied()).isFalse();
        assertThat(failure(again).mayHaveApplied()).isTrue();
    }

    @Test
    void whatIsSentTwiceIsStillUncertain() {
        call.send(connection, 0);
        assertThat(call.send(connection, 1)).isTrue();

        call.giveUp("was closed meanwhile");

        assertFails("zk://h:2181/x was closed meanwhile", true);
    }

    @Test
    void theAnswerIsWhatCameUntilTheDeadline() {
        call.send(connection, 0);
        call.partial(() -> "half of it");

        comesToItsDeadline();

        assertThat(call.reply()).isCompletedWithValue("half of it");
    }

    @Test
    void aConnectionThatIsSilentSinceItWasAskedIsGivenUpForAnother() {
        connection.open();
        connection.ready(links.opened.get(0));
        call.send(connection, links.opened.get(0).heardAtNanos() + 1);

        comesToItsDeadline();

        assertThat(links.broken).isEqualTo(1);
        assertThat(links.opened).hasSize(2);
    }

    @Test
    void aConnectionThatWasHeardSinceIsKept() {
        connection.open();
        connection.ready(links.opened.get(0));
        call.send(connection, links.opened.get(0).heardAtNanos());

        comesToItsDeadline();

        assertThat(links.broken).isZero();
        assertThat(links.opened).hasSize(1);
    }

    private void comesToItsDeadline() {
        call.limitBy(
                (nanos, task) -> {
                    alarms.add(task);
                    return () -> alarms.remove(task);
                },
                () -> assertThat(call.isOver()).isTrue());
        List.copyOf(alarms).forEach(Runnable::run);
        assertThat(alarms).as("alarms that are left").isEmpty();
    }

    private void assertFails(String message, boolean mayHaveApplied) {
        CoordinatorException told = failure(call);
        assertThat(told).hasMessage(message);
        assertThat(told.mayHaveApplied()).isEqualTo(mayHaveApplied);
    }

    private static CoordinatorException failure(ZooKeeperCall<String> call) {
        return call.reply()
                .handle((value, failure) -> {
                    assertThat(failure).isInstanceOf(CoordinatorException.class);
                    return (CoordinatorException) failure;
                })
                .join();
    }

    /** Links to nobody. */
    private final class Links implements Connection.Owner {
        private final List<Link> opened = new ArrayList<>();
        private int broken;

        @Override
        public Link open(Link.Listener listener) {
            opened.add(Link.open(around, Duration.ofSeconds(4), listener));
            return opened.get(opened.size() - 1);
        }

        @Override
        public void connected(Link link) {}

        @Override
        public void broken(Link.Why why) {
            broken++;
        }

        @Override
        public void changed(WatchedEvent event) {}
    }
}
