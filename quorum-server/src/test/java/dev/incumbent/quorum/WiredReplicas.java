package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.server.DivisionInfo;

/** Three replicas in this JVM, each reached by the others by way of a wire of its own. */
final class WiredReplicas implements AutoCloseable {
    private final TemporaryFolder folder = TemporaryFolder.create("replicas");
    private final List<Replica> all = new ArrayList<>();
    private final List<TcpProxy> wires = new ArrayList<>();

    static WiredReplicas start(Duration electionTimeout, SystemTimeline timeline) throws IOException {
        WiredReplicas started = new WiredReplicas();
        List<Member> members = NodesHere.members("n1", "n2", "n3");
        List<Replica.Peer> reached = new ArrayList<>();
        for (Member member : members) {
            TcpProxy wire = TcpProxy.to(member.raftPort());
            started.wires.add(wire);
            reached.add(new Replica.Peer(new Member(member.name(), member.host(), member.port(), wire.port()), "disk"));
        }
        UUID cluster = UUID.randomUUID();
        for (Member member : members) {
            Path data = started.folder.resolve(member.name());
            RaftOptions.Choices choices =
                    new RaftOptions.Choices(electionTimeout, NodeSettings.SNAPSHOT_EVERY, Optional.empty());
            started.all.add(Replica.start(
                    new Replica.Settings(cluster, new Replica.Peer(member, "disk"), reached, data, true, choices),
                    new SharedTable(timeline),
                    timeline,
                    failure -> {}));
        }
        return started;
    }

    List<Replica> all() {
        return all;
    }

    Optional<Replica> leader() {
        return all.stream().filter(Replica::isLeading).findFirst();
    }

    /** One that does not lead. */
    Replica follower() {
        return all.stream().filter(one -> !one.isLeading()).findFirst().orElseThrow();
    }

    /** Ends one for good. */
    void stop(Replica one) throws IOException {
        wires.remove(all.indexOf(one)).close();
        all.remove(one);
        one.close();
    }

    TcpProxy wireTo(Replica one) {
        return wires.get(all.indexOf(one));
    }

    static String write(Replica leader) {
        return leader.write(Line.of(Words.GRANT, UUID.randomUUID().toString(), "ada", "60000"))
                .join();
    }

    static long term(Replica replica) {
        return replica.division().map(DivisionInfo::getCurrentTerm).orElseThrow();
    }

    static long applied(Replica replica) {
        return replica.division().map(DivisionInfo::getLastAppliedIndex).orElse(0L);
    }

    @Override
    public void close() throws IOException {
        for (Replica replica : all) {
            replica.close();
        }
        wires.forEach(TcpProxy::close);
        folder.close();
    }
}
