package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.quorum.Replica.Peer;
import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ratis.proto.RaftProtos.CommitInfoProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.protocol.exceptions.TransferLeadershipException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.jspecify.annotations.Nullable;

/**
 * Hands the nodes' leadership from this node over to another member. Thread-safe.
 *
 * <p>While Ratis hands it over, the leader takes no entry, and so no lease is kept alive. Therefore the member first shows that it answers and has all entries, and meanwhile
 * entries are taken. What is left is given up while each call that waits for it is still in time.
 */
final class LeadershipTransfer {
    // A call for a lease may take an eighth of it, and two seconds at most (Timing).
    private static final long CALLS_IN_A_LEASE = 8;
    private static final long LONGEST_CALL_MILLIS = 2_000;

    /** A member that is told to stand asks for votes at once; if they are split, an election takes two timeouts more. */
    private static final long MOST_ELECTION_TIMEOUTS = 4;

    private static final long LOOK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Replica replica;
    private final Ratis ratis;
    private final SharedTable table;
    private final Timeline timeline;
    private final long electionTimeoutMillis;
    private final AtomicBoolean isUnderWay = new AtomicBoolean();
    private final AtomicBoolean isInQuestion = new AtomicBoolean();

    LeadershipTransfer(Replica replica, Ratis ratis, SharedTable table, Timeline timeline, long electionTimeoutMillis) {
        this.replica = replica;
        this.ratis = ratis;
        this.table = table;
        this.timeline = timeline;
        this.electionTimeoutMillis = electionTimeoutMillis;
    }

    /** This node's part in the replication. */
    record Ratis(RaftServer server, RaftGroupId group, Voters.Asking asking) {}

    /** To that member. The answer is {@link Words#DONE}, or says why not. */
    CompletableFuture<String> to(Peer next) {
        if (!isUnderWay.compareAndSet(false, true)) {
            return answered(later("the leadership is being handed over already"));
        }
        return answered("")
                .thenCompose(unused -> handedOver(next))
                .exceptionally(failure -> later(failure.toString()))
                .whenComplete((answer, failure) -> isUnderWay.set(false));
    }

    private CompletableFuture<String> handedOver(Peer next) {
        if (replica.isLeading() && next.id().equals(ratis.server().getId().toString())) {
            return answered(Words.DONE);
        }
        return hindrance(next)
                .map(why -> answered(later(why)))
                .orElseGet(() -> replica.write(Replica.NOTHING)
                        .completeOnTimeout(later("no majority has answered"), patienceMillis(), TimeUnit.MILLISECONDS)
                        .thenCompose(written -> written.equals(Words.DONE) ? hasAll(next) : answered(written))
                        .thenCompose(hasAll -> hasAll.equals(Words.DONE) ? begun(next) : answered(hasAll)));
    }

    private long patienceMillis() {
        return replica.voters().patienceMillis();
    }

    private Optional<String> hindrance(Peer next) {
        String name = next.member().name();
        if (!replica.isLeading()) {
            return Optional.of("this node does not lead"
                    + replica.leader().map(leader -> "; " + leader + " does").orElse(""));
        }
        if (!replica.voters().ids().contains(next.id())) {
            return Optional.of("member " + name + " is no voter with the disk " + next.disk());
        }
        return Optional.ofNullable(replica.voters().silences().get(name))
                .filter(millis -> millis > patienceMillis())
                .map(millis -> "member " + name + " has not answered for " + millis + " ms");
    }

    /** Done once the member has told that it has all entries that are committed now, the last of which was written after this transfer was asked for. */
    private CompletableFuture<String> hasAll(Peer next) {
        long entry = replica.division().map(DivisionInfo::getLastAppliedIndex).orElse(Long.MAX_VALUE);
        CompletableFuture<String> answer = new CompletableFuture<>();
        look(next, entry, timeline.nanos() + TimeUnit.MILLISECONDS.toNanos(patienceMillis()), answer);
        return answer;
    }

    private void look(Peer next, long entry, long untilNanos, CompletableFuture<String> answer) {
        long has = committed(next);
        if (has >= entry) {
            answer.complete(Words.DONE);
        } else if (timeline.nanos() - untilNanos >= 0) {
            answer.complete(later("member " + next.member().name() + " lags: it has told of entry " + has
                    + " of the log, and within " + patienceMillis() + " ms not of entry " + entry));
        } else {
            timeline.at(timeline.nanos() + LOOK_AGAIN_NANOS, () -> look(next, entry, untilNanos, answer));
        }
    }

    /** The last entry that the member has told to be committed on its disk; below zero where it told of none. */
    private long committed(Peer next) {
        try {
            return ratis.server().getDivision(ratis.group()).getCommitInfos().stream()
                    .filter(info -> info.getServer().getId().toStringUtf8().equals(next.id()))
                    .mapToLong(CommitInfoProto::getCommitIndex)
                    .findFirst()
                    .orElse(-1);
        } catch (IOException | RuntimeException changesAtThisMoment) {
            return -1;
        }
    }

    private CompletableFuture<String> begun(Peer next) {
        long within = withinMillis(electionTimeoutMillis, table.shortestLeaseMillis());
        return asked(RaftPeerId.valueOf(next.id()), within)
                .handle((reply, failure) -> answer(next, within, reply, failure));
    }

    /**
     * For how long entries may be refused.
     *
     * @param shortestLeaseMillis of all leases that live
     */
    static long withinMillis(long electionTimeoutMillis, OptionalLong shortestLeaseMillis) {
        long call = Math.min(LONGEST_CALL_MILLIS, shortestLeaseMillis.orElse(Long.MAX_VALUE) / CALLS_IN_A_LEASE);
        return Math.min(call, MOST_ELECTION_TIMEOUTS * electionTimeoutMillis);
    }

    private static String answer(Peer next, long within, @Nullable RaftClientReply reply, @Nullable Throwable failure) {
        if (reply != null && reply.isSuccess()) {
            return Words.DONE;
        }
        return reply != null && reply.getException() instanceof TransferLeadershipException
                ? later("member " + next.member().name() + " was not elected within " + within
                        + " ms, and this node takes calls again: "
                        + reply.getException().getMessage())
                : Replica.answer(reply, failure, false);
    }

    /** To nobody in particular where there is no successor: then this node steps down. */
    private CompletableFuture<RaftClientReply> asked(@Nullable RaftPeerId successor, long withinMillis) {
        Voters.Asking asking = ratis.asking();
        try {
            return ratis.server()
                    .transferLeadershipAsync(new TransferLeadershipRequest(
                            asking.client(),
                            ratis.server().getId(),
                            ratis.group(),
                            asking.calls().getAsLong(),
                            successor,
                            withinMillis));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /**
     * The leader has refused an entry because it is being replaced. Ratis 3.3.0 goes on refusing until another leads, for ever if need be, where its request to the successor failed at once: so
     * unless a transfer is under way here, this node steps down.
     */
    void entryRefused() {
        if (isUnderWay.get() || !isInQuestion.compareAndSet(false, true)) {
            return;
        }
        var unused = replica.refusesEntries()
                .thenCompose(refuses -> refuses && !isUnderWay.get()
                        ? asked(null, electionTimeoutMillis).thenApply(RaftClientReply::isSuccess)
                        : CompletableFuture.completedFuture(false))
                .whenComplete((steppedDown, failure) -> isInQuestion.set(false));
    }

    private static CompletableFuture<String> answered(String answer) {
        return CompletableFuture.completedFuture(answer);
    }

    private static String later(String why) {
        return Line.of(Words.LATER, why);
    }
}
