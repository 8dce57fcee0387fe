package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.server.DivisionInfo;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A node that hears nothing for a while asks the others before it stands, and so deposes nobody. */
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class PreVoteTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(2);

    private final TemporaryFolder folder = TemporaryFolder.create("pre-vote");
    private final SystemTimeline timeline = new SystemTimeline();
    private final List<Replica> replicas = new ArrayList<>();
    private final List<TcpProxy> wires = new ArrayList<>();

    /** Every node is reached by way of a wire. */
    @BeforeEach
    void start() throws IOException {
        List<Member> members = NodesHere.members("n1", "n2", "n3");
        List<Replica.Peer> reached = new ArrayList<>();
        for (Member member : members) {
            wires.add(TcpProxy.to(member.raftPort()));
            int way = wires.get(wires.size() - 1).port();
            reached.add(new Replica.Peer(new Member(member.name(), member.host(), member.port(), way), "disk"));
        }
        UUID cluster = UUID.randomUUID();
        for (Member member : members) {
            Path data = folder.resolve(member.name());
            RaftOptions.Choices choices =
                    new RaftOptions.Choices(ELECTION_TIMEOUT, NodeSettings.SNAPSHOT_EVERY, Optional.empty());
            replicas.add(Replica.start(
                    new Replica.Settings(cluster, new Replica.Peer(member, "disk"), reached, data, true, choices),
                    new SharedTable(timeline),
                    timeline));
        }
    }

    @AfterEach
    void stop() throws IOException {
        for (Replica replica : replicas) {
            replica.close();
        }
        wires.forEach(TcpProxy::close);
        timeline.close();
        folder.close();
    }

    @Test
    void aNodeCutOffAndBackDeposesNobody() {
        Waiting.until(
                "a leader that all follow",
                () -> replicas.stream().allMatch(one -> !one.leader().isEmpty() && applied(one) > 0));
        Replica leader =
                replicas.stream().filter(Replica::isLeading).findFirst().orElseThrow();
        int number = replicas.indexOf(leader) == 0 ? 1 : 0;
        Replica deaf = replicas.get(number);
        long term = term(leader);

        wires.get(number).cut(TcpProxy.Fault.SILENT);
        Waiting.until("a node that knows of no leader", () -> deaf.leader().isEmpty());
        long end = timeline.nanos() + ELECTION_TIMEOUT.multipliedBy(2).toNanos();
        while (timeline.nanos() < end) {
            assertThat(write(leader)).startsWith(Words.GRANTED);
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }
        assertThat(applied(deaf)).isLessThan(applied(leader));
        wires.get(number).heal();

        Waiting.until("what it missed", () -> applied(deaf) >= applied(leader));
        assertThat(write(leader)).startsWith(Words.GRANTED);
        assertThat(term(leader)).isEqualTo(term);
        assertThat(term(deaf)).isEqualTo(term);
        assertThat(leader.isLeading()).isTrue();
    }

    private static String write(Replica leader) {
        return leader.write(Line.of(Words.GRANT, UUID.randomUUID().toString(), "ada", "60000"))
                .join();
    }

    private static long term(Replica replica) {
        return replica.division().map(DivisionInfo::getCurrentTerm).orElseThrow();
    }

    private static long applied(Replica replica) {
        return replica.division().map(DivisionInfo::getLastAppliedIndex).orElse(0L);
    }
}
