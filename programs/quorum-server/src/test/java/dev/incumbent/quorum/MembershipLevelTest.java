package dev.incumbent.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.quorum.Route.Answer;
import dev.incumbent.quorum.Route.Asked;
import dev.incumbent.servers.TemporaryFolder;
import dev.incumbent.servers.Waiting;
import dev.incumbent.time.SystemTimeline;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

/** While the log is at level 0 a voter may be of a build that knows no members but those that it was started with. */
@Tag("realtime")
@ResourceLock(NodesHere.ONE_AT_A_TIME)
final class MembershipLevelTest {
    private static final List<Member> OTHERS =
            List.of(Member.of("n1=h1:7400"), Member.of("n2=h2:7400"), Member.of("n4=h4:7400"));

    @Test
    void belowLevelOneNoMemberChanges() throws IOException {
        try (SystemTimeline timeline = new SystemTimeline();
                TemporaryFolder folder = TemporaryFolder.create("marker");
                WiredReplicas replicas = WiredReplicas.start(Duration.ofSeconds(1), timeline, List.of(0, 0, 0))) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica leader = replicas.leader().orElseThrow();

            Answer answer = membership(leader, replicas.table(leader), folder)
                    .change(new Asked(
                            "POST",
                            "",
                            Line.body(OTHERS.stream().map(Member::toString).toList()),
                            1_000,
                            EnumSet.allOf(Right.class)))
                    .join();

            assertThat(answer)
                    .isEqualTo(new Answer(
                            409,
                            "the quorum's log is at level 0, at which members do not change: a voter runs an older"
                                    + " build, or is down\n"));
        }
    }

    @Test
    void aCloseThatCutsTheBindingOfADiskIsToldToNobody() throws IOException {
        List<String> said = new ArrayList<>();
        try (SystemTimeline timeline = new SystemTimeline();
                TemporaryFolder folder = TemporaryFolder.create("marker");
                WiredReplicas replicas = WiredReplicas.start(Duration.ofSeconds(1), timeline, List.of(0, 0, 0))) {
            Waiting.until("a leader", () -> replicas.leader().isPresent());
            Replica leader = replicas.leader().orElseThrow();
            Ascending ascending =
                    new Ascending(() -> OTHERS, levels(folder), leader, replicas.table(leader), said::add);
            Thread.currentThread().interrupt();
            ascending.bindOwn(1);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(said).isEmpty();
        }
    }

    private static Levels levels(TemporaryFolder folder) {
        Peering peering = new Peering(Tokens.none(), Optional.empty());
        return new Levels(new Peers(folder.path(), Marker.fresh("n1"), OTHERS, peering), peering);
    }

    private static Membership membership(Replica leader, SharedTable table, TemporaryFolder folder) {
        Levels levels = levels(folder);
        Ascending ascending = new Ascending(() -> OTHERS, levels, leader, table, said -> {});
        return new Membership(leader, table, levels, ascending, said -> {});
    }
}
