package dev.incumbent.quorum;

import dev.incumbent.time.Timeline;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.LifeCycle;

/**
 * Finds out that Ratis takes no part in the replication any more although nobody told it to end. Not thread-safe.
 *
 * <p>Ratis 3.3.0 tells that to its own log alone. It closes its part where the state machine or the log throws what it does not expect. And where it cannot write its vote, it stays a candidate
 * whose election has ended: it does not stand again until another member leads.
 */
final class ReplicationWatch {
    private static final long BETWEEN_LOOKS_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A candidate that is seen so often without an election has none. */
    private static final int LOOKS = 3;

    /** What Ratis names the threads of its elections after. */
    private static final String ELECTION = "-LeaderElection";

    private final RaftServer server;
    private final RaftGroupId group;
    private final Timeline timeline;
    private long nextLookNanos;
    private int looksWithoutElection;

    ReplicationWatch(RaftServer server, RaftGroupId group, Timeline timeline) {
        this.server = server;
        this.group = group;
        this.timeline = timeline;
        this.nextLookNanos = timeline.nanos();
    }

    /** Why it takes no part any more; empty while it does. To be asked again and again. */
    Optional<String> end() {
        Optional<RaftServer.Division> part = part();
        LifeCycle.State state =
                part.map(one -> one.getInfo().getLifeCycleState()).orElseGet(server::getLifeCycleState);
        if (LifeCycle.States.CLOSING_OR_CLOSED_OR_EXCEPTION.contains(state)) {
            return Optional.of("Ratis has closed its part in the replication");
        }
        return part.filter(this::hasLostItsElection)
                .map(one -> "it is a candidate, and Ratis has given up its election, as it does where it cannot write"
                        + " its vote");
    }

    private Optional<RaftServer.Division> part() {
        try {
            return Optional.of(server.getDivision(group));
        } catch (IOException | RuntimeException notAnyMore) {
            return Optional.empty();
        }
    }

    private boolean hasLostItsElection(RaftServer.Division part) {
        if (timeline.nanos() - nextLookNanos < 0) {
            return false;
        }
        nextLookNanos = timeline.nanos() + BETWEEN_LOOKS_NANOS;
        DivisionInfo info = part.getInfo();
        looksWithoutElection = info.isCandidate() && !hasElection(part.getThreadGroup()) ? looksWithoutElection + 1 : 0;
        return looksWithoutElection >= LOOKS;
    }

    private static boolean hasElection(ThreadGroup threads) {
        Thread[] found = new Thread[2 * threads.activeCount() + LOOKS];
        int count = threads.enumerate(found);
        return Arrays.stream(found, 0, count)
                .filter(Objects::nonNull)
                .anyMatch(thread -> thread.getName().contains(ELECTION));
    }
}
