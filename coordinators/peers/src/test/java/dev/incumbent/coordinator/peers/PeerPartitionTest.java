package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.Namespaces;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Five members, each in a network namespace of its own, of which the leader and one more are cut off from the other three. */
@Tag("realtime")
class PeerPartitionTest {
    private static final int SIZE = 5;
    private static final int PORT = 7501;

    /** Twice what an election may take. */
    private static final Duration WHILE = Duration.ofSeconds(12);

    @TempDir
    Path folder;

    @Test
    void raftsMinorityStepsDownAndStaysWithoutALeader() {
        try (Namespaces network = network();
                MemberProcesses group = group(PeerKind.RAFT, network)) {
            assertThat(group.come(leaders -> leaders.size() == 1))
                    .as(group.logs())
                    .isTrue();
            int leader = group.leaders().iterator().next();
            Set<Integer> minority = Set.of(leader, (leader + 1) % SIZE);

            part(network, minority);

            assertThat(group.come(leaders -> leaders.stream().noneMatch(minority::contains)))
                    .as("the leader without a majority steps down; " + group.logs())
                    .isTrue();
            assertThat(group.come(leaders -> leaders.size() == 1))
                    .as(group.logs())
                    .isTrue();
            assertThat(group.stay(
                            WHILE,
                            leaders -> leaders.size() == 1 && leaders.stream().noneMatch(minority::contains)))
                    .as(group.logs())
                    .isTrue();
            Set<Integer> leads = group.leaders();
            network.heal();
            assertThat(group.stay(WHILE, leads::equals))
                    .as("whoever returns disturbs nobody; " + group.logs())
                    .isTrue();
            assertThat(group.begun()).doesNotHaveDuplicates();
        }
    }

    @Test
    void aBullyHasTwoLeadersAsLongAsThePartitionLasts() {
        twoLead(PeerKind.BULLY);
    }

    @Test
    void aRingHasTwoLeadersAsLongAsThePartitionLasts() {
        twoLead(PeerKind.RING);
    }

    private void twoLead(PeerKind kind) {
        try (Namespaces network = network();
                MemberProcesses group = group(kind, network)) {
            assertThat(group.come(Set.of(4)::equals)).as(group.logs()).isTrue();

            part(network, Set.of(4, 0));

            assertThat(group.come(Set.of(3, 4)::equals)).as(group.logs()).isTrue();
            assertThat(group.stay(WHILE, Set.of(3, 4)::equals)).as(group.logs()).isTrue();
            network.heal();
            assertThat(group.come(Set.of(4)::equals)).as(group.logs()).isTrue();
        }
    }

    private static Namespaces network() {
        try {
            return Namespaces.open(SIZE);
        } catch (Namespaces.Forbidden here) {
            return Assumptions.abort(String.valueOf(here.getMessage()));
        }
    }

    private MemberProcesses group(PeerKind kind, Namespaces network) {
        List<Integer> ports = Stream.generate(() -> PORT).limit(SIZE).toList();
        return new MemberProcesses(kind, network.all(), ports, folder, "&insecure=true").startAll();
    }

    private static void part(Namespaces network, Set<Integer> some) {
        for (int one : some) {
            IntStream.range(0, SIZE).filter(other -> !some.contains(other)).forEach(other -> {
                network.cut(one, other);
                network.cut(other, one);
            });
        }
    }
}
