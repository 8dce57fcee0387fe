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
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.DivisionInfo;

/** Three replicas in this JVM, each reached by the others by way of a wire of its own. */
final class WiredReplicas implements AutoCloseable {
    /** What every disk is named at first. */
    static final String DISK = "disk";

    private final TemporaryFolder folder = TemporaryFolder.create("replicas");
    private final List<Member> members = new ArrayList<>(NodesHere.members("n1", "n2", "n3"));
    private final List<Replica> all = new ArrayList<>();
    private final List<SharedTable> tables = new ArrayList<>();
    private final List<TcpProxy> wires = new ArrayList<>();
    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final UUID cluster = UUID.randomUUID();
    private final RaftOptions.Choices choices;
    private final SystemTimeline timeline;

    private WiredReplicas(Duration electionTimeout, SystemTimeline timeline) {
        this.choices = new RaftOptions.Choices(electionTimeout, NodeSettings.SNAPSHOT_EVERY, Optional.empty());
        this.timeline = timeline;
    }

    static WiredReplicas start(Duration electionTimeout, SystemTimeline timeline) throws IOException {
        return start(electionTimeout, timeline, List.of(Entry.SUPPORTED, Entry.SUPPORTED, Entry.SUPPORTED));
    }

    /** Each of a build that knows levels up to its one of those. */
    static WiredReplicas start(Duration electionTimeout, SystemTimeline timeline, List<Integer> supported)
            throws IOException {
        WiredReplicas started = new WiredReplicas(electionTimeout, timeline);
        for (Member member : started.members) {
            started.wires.add(TcpProxy.to(member.raftPort()));
        }
        List<Replica.Peer> reached = new ArrayList<>();
        for (int i = 0; i < started.members.size(); i++) {
            reached.add(started.reached(i, DISK));
        }
        for (int i = 0; i < started.members.size(); i++) {
            started.tables.add(new SharedTable(timeline, supported.get(i)));
            Replica.Peer self = new Replica.Peer(started.members.get(i), DISK);
            started.all.add(started.start(self, reached, started.tables.get(i)));
        }
        return started;
    }

    private Replica start(Replica.Peer self, List<Replica.Peer> peers, SharedTable table) throws IOException {
        return Replica.start(
                new Replica.Settings(cluster, self, peers, folder.resolve(self.id()), true, choices),
                table,
                timeline,
                new Noting(self.member().name()));
    }

    /** Notes which replica takes no part any more, and why. */
    private final class Noting implements Notices {
        private final String name;

        private Noting(String name) {
            this.name = name;
        }

        @Override
        public void logFailed(Throwable cause) {}

        @Override
        public void ended(String why) {
            ended.add(name + ": " + why);
        }

        @Override
        public void halted(String why) {}

        @Override
        public void configured(Members now) {}
    }

    /** What replicas have told of their own end. */
    List<String> ended() {
        return ended;
    }

    /** Where Ratis keeps a replica's log and its vote. */
    Path current(Replica one) {
        String id = Replica.Peer.id(members.get(all.indexOf(one)).name(), DISK);
        return folder.resolve(id).resolve(cluster.toString()).resolve("current");
    }

    /** All of them, as a foreign client of Ratis's reaches them. */
    RaftGroup group() {
        List<RaftPeer> peers = members.stream()
                .map(member -> new Replica.Peer(member, DISK).forRatis())
                .toList();
        return RaftGroup.valueOf(RaftGroupId.valueOf(cluster), peers);
    }

    /** As the others know it: by its wire. */
    Replica.Peer reached(int index, String disk) {
        Member member = members.get(index);
        int port = wires.get(index).port();
        return new Replica.Peer(new Member(member.name(), member.host(), member.port(), port), disk);
    }

    /** In the place of one that was closed: on an empty disk of that name, which is not to be a voter yet. */
    Replica startEmpty(int index, String disk) throws IOException {
        tables.set(index, new SharedTable(timeline));
        all.set(index, start(new Replica.Peer(members.get(index), disk), List.of(), tables.get(index)));
        return all.get(index);
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
        int index = all.indexOf(one);
        wires.remove(index).close();
        tables.remove(index);
        members.remove(index);
        all.remove(one);
        one.close();
    }

    SharedTable table(Replica one) {
        return tables.get(all.indexOf(one));
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
