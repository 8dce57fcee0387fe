package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.time.Timeline;
import java.io.Closeable;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.LeaderSteppingDownException;
import org.apache.ratis.protocol.exceptions.NotLeaderException;
import org.apache.ratis.protocol.exceptions.StateMachineException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.util.ExitUtils;
import org.jspecify.annotations.Nullable;

/**
 * This node's part in the replication: hands entries to the log and questions to the table, and while it leads ends leases that nobody keeps
 * alive. Thread-safe.
 */
final class Replica implements Closeable {
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long NOBODY = -1;
    /** An entry that changes nothing: no lease has this id. */
    static final String NOTHING = Line.of(Words.EXPIRE, "", "0");

    private final Timeline timeline;
    private final SharedTable table;
    private final TableMachine machine;
    private final RaftGroup group;
    private final RaftDoor door;
    private final RaftServer server;
    private final ClientId client = ClientId.randomId();
    private final AtomicLong calls = new AtomicLong();
    private final Notices notices;
    private final Voters voters;
    private final LeadershipTransfer transfer;
    private final ReplicationWatch watch;
    private final long patienceMillis;
    private volatile long readyInTerm = NOBODY;
    private volatile boolean closed;

    private Replica(Settings settings, SharedTable table, Timeline timeline, Notices notices) throws IOException {
        this.timeline = timeline;
        this.table = table;
        this.notices = notices;
        this.patienceMillis = 2 * settings.choices().electionTimeout().toMillis();
        this.door = new RaftDoor(settings.self().id());
        this.machine = new TableMachine(table, this::becomeReady, new LeavingWhenHalted(notices));
        List<RaftPeer> peers = settings.peers().stream().map(Peer::forRatis).toList();
        this.group = RaftGroup.valueOf(RaftGroupId.valueOf(settings.cluster()), peers);
        this.server = RaftServer.newBuilder()
                .setServerId(RaftPeerId.valueOf(settings.self().id()))
                .setGroup(group)
                .setOption(settings.isNew() ? StartupOption.FORMAT : StartupOption.RECOVER)
                .setStateMachine(machine)
                .setProperties(RaftOptions.of(settings.folder(), settings.self().member(), settings.choices()))
                .setParameters(RaftOptions.parameters(settings.choices(), door))
                .build();
        RaftGroupId id = group.getGroupId();
        Voters.Asking asking = new Voters.Asking(client, calls::incrementAndGet, patienceMillis);
        this.voters = new Voters(server, id, asking);
        this.transfer = new LeadershipTransfer(
                this,
                new LeadershipTransfer.Ratis(server, id, asking),
                table,
                timeline,
                settings.choices().electionTimeout().toMillis());
        this.watch = new ReplicationWatch(server, id, timeline);
    }

    /**
     * What a replica is started with.
     *
     * @param peers the voters; none where this one is still to be taken in
     * @param isNew is the folder to be formatted; one that is used is never
     */
    record Settings(
            UUID cluster, Peer self, List<Peer> peers, Path folder, boolean isNew, RaftOptions.Choices choices) {}

    /** Takes a halted replica out of the replication, besides. */
    private final class LeavingWhenHalted implements Notices {
        private final Notices notices;

        private LeavingWhenHalted(Notices notices) {
            this.notices = notices;
        }

        @Override
        public void logFailed(Throwable cause) {
            notices.logFailed(cause);
        }

        @Override
        public void ended(String why) {
            notices.ended(why);
        }

        @Override
        public void halted(String why) {
            notices.halted(why);
            new Thread(Replica.this::leave, "incumbent-halt").start();
        }

        @Override
        public void configured(Members now) {
            notices.configured(now);
        }
    }

    /** A member with the name of its disk, by which the log knows it: who comes with another disk is another. */
    record Peer(Member member, String disk) {
        private static final char SEPARATOR = '.';

        String id() {
            return id(member.name(), disk);
        }

        static String id(String member, String disk) {
            return member + SEPARATOR + disk;
        }

        static String nameOf(RaftPeerId id) {
            return nameOf(id.toString());
        }

        static String nameOf(String id) {
            return id.substring(0, id.indexOf(SEPARATOR));
        }

        /** The log tells both of a member's addresses, so that who reads it needs to be told none. */
        RaftPeer forRatis() {
            return RaftPeer.newBuilder()
                    .setId(RaftPeerId.valueOf(id()))
                    .setAddress(member.raftAddress())
                    .setClientAddress(member.address())
                    .build();
        }

        /** The peer of a configuration; none where it was written by a build that named no address for clients. */
        static Optional<Peer> of(RaftPeer peer) {
            String id = peer.getId().toString();
            String raft = peer.getAddress();
            return Optional.ofNullable(peer.getClientAddress())
                    .filter(client -> !client.isEmpty())
                    .map(client -> nameOf(id) + "=" + client + "/" + raft.substring(raft.lastIndexOf(':') + 1))
                    .map(text -> new Peer(Member.of(text), diskOf(id)));
        }

        static String diskOf(String id) {
            return id.substring(id.indexOf(SEPARATOR) + 1);
        }
    }

    /** Starts one; throws {@link BindException} where its port is taken. */
    static Replica start(Settings settings, SharedTable table, Timeline timeline, Notices notices) throws IOException {
        RatisExits.prevent();
        Replica replica = new Replica(settings, table, timeline, notices);
        try {
            replica.server.start();
        } catch (CompletionException e) {
            replica.close();
            replica.halt().ifPresent(why -> {
                throw new NodeRefusal("node " + settings.self().member().name() + " does not start: " + why
                        + "; start it with the build that wrote this");
            });
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e);
        } catch (ExitUtils.ExitException e) {
            replica.close();
            throw new BindException(settings.self().member().raftAddress() + ", for the other nodes: "
                    + QuorumNode.rootOf(e).getMessage());
        }
        replica.tickLater();
        return replica;
    }

    /** Why it is halted, if it is. */
    Optional<String> halt() {
        return machine.halt();
    }

    void leave() {
        try {
            close();
        } catch (IOException e) {
            // Ratis has closed this member's part already.
        }
    }

    /** Hands an entry to the log; its answer, or one that says that there is none and what that means. */
    CompletableFuture<String> write(String line) {
        long call = calls.incrementAndGet();
        return submit(call, Entry.at(table.level(), line), RaftClientRequest.writeRequestType())
                .handle((reply, failure) -> {
                    if (isRefusedByItsTransfer(reply)) {
                        transfer.entryRefused();
                    }
                    return answer(reply, failure, machine.wasAppended(call));
                });
    }

    /** Does it lead, and take no entry, because another is to lead? */
    CompletableFuture<Boolean> refusesEntries() {
        long call = calls.incrementAndGet();
        return submit(call, Entry.at(table.level(), NOTHING), RaftClientRequest.writeRequestType())
                .handle((reply, failure) -> !machine.wasAppended(call) && isRefusedByItsTransfer(reply));
    }

    private static boolean isRefusedByItsTransfer(@Nullable RaftClientReply reply) {
        return reply != null && reply.getException() instanceof LeaderSteppingDownException;
    }

    /** Hands all of these to the log, in their order, and in as few entries as its level allows; as many answers. */
    List<CompletableFuture<String>> writeAll(List<String> lines) {
        return table.level() == 0 ? lines.stream().map(this::write).toList() : new Together(this::write).write(lines);
    }

    /** Asks the table, as it is after all that was acknowledged before; never an outcome that is uncertain. */
    CompletableFuture<String> read(String line) {
        return submit(calls.incrementAndGet(), line, RaftClientRequest.readRequestType())
                .handle((reply, failure) -> answer(reply, failure, false));
    }

    private CompletableFuture<RaftClientReply> submit(long call, String line, RaftClientRequest.Type type) {
        RaftClientRequest request = RaftClientRequest.newBuilder()
                .setClientId(client)
                .setServerId(server.getId())
                .setGroupId(group.getGroupId())
                .setCallId(call)
                .setMessage(Message.valueOf(line))
                .setType(type)
                .build();
        if (halt().isPresent()) {
            return CompletableFuture.failedFuture(new IOException("this node is halted: " + halt().get()));
        }
        if (division().filter(info -> !isHeard(info)).isPresent()) {
            return CompletableFuture.failedFuture(
                    new IOException("this node led, and has not heard a majority for " + patienceMillis + " ms"));
        }
        try {
            return server.submitClientRequestAsync(request);
        } catch (IOException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * What a reply says. A leader that steps down tells also those "not the leader" whose entries stand in its log already, and which its successor
     * may commit: only what was never handed to the log surely did nothing.
     */
    static String answer(@Nullable RaftClientReply reply, @Nullable Throwable failure, boolean wasAppended) {
        if (reply != null && reply.isSuccess()) {
            return reply.getMessage().getContent().toStringUtf8();
        }
        Throwable why = reply != null ? reply.getException() : failure;
        Throwable cause = why instanceof CompletionException && why.getCause() != null ? why.getCause() : why;
        String text = String.valueOf(cause);
        if (wasAppended) {
            return Line.of(Words.UNCERTAIN, text);
        }
        if (cause instanceof NotLeaderException elsewhere) {
            RaftPeer leader = elsewhere.getSuggestedLeader();
            return Line.of(Words.ELSEWHERE, leader == null ? "" : Peer.nameOf(leader.getId()), "does not lead");
        }
        return Line.of(cause instanceof StateMachineException ? Words.BAD : Words.LATER, text);
    }

    /** Hands the leadership over to that member, and waits for it; {@link Words#DONE}, or why not. */
    CompletableFuture<String> transfer(Peer to) {
        return transfer.to(to);
    }

    /** Takes a member's new disk in the place of its last one; only where this node leads. */
    CompletableFuture<String> replace(Peer disk) {
        return changed(() -> voters.replace(disk));
    }

    /** Those take the place of those that vote now, in one step; only if these vote still, and only where this node leads. */
    CompletableFuture<String> change(Set<String> now, List<Peer> next) {
        return changed(() -> voters.change(now, next));
    }

    /** Writes an entry for it: a disk that has all entries already, from an attempt that was given up, acknowledges none but a new one, and until it does Ratis waits. */
    private CompletableFuture<String> changed(Supplier<CompletableFuture<RaftClientReply>> change) {
        var unused = write(NOTHING);
        return change.get()
                .handle((reply, failure) ->
                        reply != null && reply.isSuccess() ? Words.DONE : answer(reply, failure, false));
    }

    Voters voters() {
        return voters;
    }

    private void becomeReady() {
        readyInTerm = division().map(DivisionInfo::getCurrentTerm).orElse(NOBODY);
        String entry = Line.of(Words.EPOCH, UUID.randomUUID().toString());
        timeline.at(timeline.nanos(), () -> {
            var unused = write(entry);
        });
    }

    private void tickLater() {
        if (!closed) {
            timeline.at(timeline.nanos() + TICK_NANOS, this::tick);
        }
    }

    private void tick() {
        Optional<String> end = watch.end();
        if (end.isPresent() && !closed && halt().isEmpty()) {
            notices.ended(end.get()
                    + machine.failure().map(thrown -> " (" + thrown + ")").orElse(""));
            return;
        }
        if (isLeading()) {
            table.overdue().forEach(entry -> {
                var unused = write(entry);
            });
        }
        tickLater();
    }

    /** Does it lead, and has it applied all that was acknowledged before it led? */
    boolean isLeading() {
        return division()
                .filter(info -> info.isLeaderReady() && info.getCurrentTerm() == readyInTerm && isHeard(info))
                .isPresent();
    }

    /**
     * False where it leads and has not heard a majority for longer than the others wait for it. Ratis asks itself that only when its leader has had nothing to do for as long: one that
     * is handed entry after entry would lead on for ever, alone, and take whoever asks it for its own.
     */
    private boolean isHeard(DivisionInfo info) {
        Optional<RoleInfoProto> role = info.isLeader() ? role(info) : Optional.empty();
        if (role.isEmpty() || role.get().getRoleElapsedTimeMs() <= patienceMillis) {
            return true;
        }
        List<ServerRpcProto> others = role.get().getLeaderInfo().getFollowerInfoList();
        long heard = others.stream()
                .filter(other -> other.getLastRpcElapsedTimeMs() <= patienceMillis)
                .count();
        return 2 * (heard + 1) > others.size() + 1;
    }

    static Optional<RoleInfoProto> role(DivisionInfo info) {
        try {
            return Optional.of(info.getRoleInfoProto()).filter(RoleInfoProto::hasLeaderInfo);
        } catch (RuntimeException changesAtThisMoment) {
            return Optional.empty();
        }
    }

    /** The name of the leader, as far as this node knows. */
    Optional<String> leader() {
        return division()
                .filter(this::isHeard)
                .flatMap(info -> Optional.ofNullable(info.getLeaderId()))
                .map(Peer::nameOf);
    }

    Optional<DivisionInfo> division() {
        try {
            return Optional.of(server.getDivision(group.getGroupId()).getInfo());
        } catch (IOException | RuntimeException notYetOrNotAnyMore) {
            return Optional.empty();
        }
    }

    Optional<RaftLog> log() {
        try {
            return Optional.of(server.getDivision(group.getGroupId()).getRaftLog());
        } catch (IOException | RuntimeException notYetOrNotAnyMore) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        server.close();
        door.close();
    }
}
