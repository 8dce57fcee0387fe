package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.coordinator.quorum.wire.Words;
import dev.incumbent.servers.TcpProxy;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.ratis.server.DivisionInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A replica tells that it takes no part any more, where Ratis tells nobody. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class ReplicationWatchTest {
    private static final Duration ELECTION_TIMEOUT = Duration.ofMillis(500);

    @Test
    void oneWhoseTableThrowsTellsWhat() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica broken = replicas.follower();
            replicas.table(broken).listen(names -> {
                throw new IllegalStateException("no way");
            });

            var unused = replicas.leader().orElseThrow().write(Line.of(Words.SWAP, "office", "", "n-1", "", "{}"));

            Waiting.until("its end", () -> !replicas.ended().isEmpty());
            assertThat(replicas.ended())
                    .singleElement()
                    .asString()
                    .endsWith(": Ratis has closed its part in the replication"
                            + " (java.lang.IllegalStateException: no way)");
        }
    }

    @Test
    void candidatesThatCannotWriteTheirVoteTellThatTheyStandNoMore() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica leader = replicas.leader().orElseThrow();
            for (Replica one : List.copyOf(replicas.all())) {
                if (one != leader) {
                    inTheWayOfAVote(replicas.current(one));
                }
            }

            replicas.stop(leader);

            Waiting.until("the end of both", () -> replicas.ended().size() == 2);
            assertThat(replicas.ended())
                    .allSatisfy(told -> assertThat(told)
                            .endsWith(
                                    ": it is a candidate, and Ratis has given up its election, as it does where it cannot"
                                            + " write its vote"));
        }
    }

    /** Where Ratis begins the file of its next vote. */
    private static void inTheWayOfAVote(Path current) throws IOException {
        Files.createDirectories(current.resolve("raft-meta.tmp").resolve("full"));
    }

    @Test
    void oneThatIsCutOffStandsOnAndOn() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                WiredReplicas replicas = WiredReplicas.start(ELECTION_TIMEOUT, timeline)) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica alone = replicas.follower();
            for (Replica other : replicas.all()) {
                replicas.wireTo(other).cut(TcpProxy.Fault.SILENT);
            }
            Waiting.until("its candidacy", () -> isCandidate(alone));

            assertThat(Waiting.within(
                            Duration.ofSeconds(8), () -> !replicas.ended().isEmpty()))
                    .isFalse();
            assertThat(isCandidate(alone)).isTrue();
        }
    }

    private static boolean isCandidate(Replica one) {
        return one.division().filter(DivisionInfo::isCandidate).isPresent();
    }
}
