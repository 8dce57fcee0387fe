package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.servers.FreePorts;
import dev.incumbent.servers.Place;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Five members as processes of their own, on sockets and disks, which are killed and frozen. */
@Tag("realtime")
class PeerProcessesTest {
    private static final int SIZE = 5;

    @TempDir
    Path folder;

    private MemberProcesses group(PeerKind kind) {
        List<Place> here = Stream.generate(() -> Place.LOOPBACK).limit(SIZE).toList();
        List<Integer> ports = FreePorts.some(SIZE).stream().sorted().toList();
        return new MemberProcesses(kind, here, ports, folder, "").startAll();
    }

    @Test
    void raftElectsAmongFiveProcessesAndSurvivesAKillAndAFreeze() {
        try (MemberProcesses group = group(PeerKind.RAFT)) {
            assertThat(group.come(leaders -> leaders.size() == 1))
                    .as(group.logs())
                    .isTrue();
            int first = group.leaders().iterator().next();

            group.member(first).kill();
            assertThat(group.come(leaders -> leaders.size() == 1))
                    .as(group.logs())
                    .isTrue();
            int second = group.leaders().iterator().next();
            group.startAgain(first);
            group.member(second).freeze();
            assertThat(group.come(leaders -> leaders.size() == 2))
                    .as("one follows the frozen one")
                    .isTrue();
            group.member(second).thaw();

            assertThat(group.come(leaders -> leaders.size() == 1 && !leaders.contains(second)))
                    .as("the frozen leader is told no by its first question; " + group.logs())
                    .isTrue();
            assertThat(group.begun()).as("each term begins at one member").doesNotHaveDuplicates();
        }
    }

    @Test
    void theGreatestOfABullyLeadsAndTheNextAfterItsKill() {
        theGreatestLeads(PeerKind.BULLY);
    }

    @Test
    void theGreatestOfARingLeadsAndTheNextAfterItsKill() {
        theGreatestLeads(PeerKind.RING);
    }

    private void theGreatestLeads(PeerKind kind) {
        try (MemberProcesses group = group(kind)) {
            assertThat(group.come(Set.of(4)::equals)).as(group.logs()).isTrue();

            group.member(4).kill();
            assertThat(group.come(Set.of(3)::equals)).as(group.logs()).isTrue();
            group.member(3).freeze();
            assertThat(group.come(Set.of(2, 3)::equals)).as("both believe it").isTrue();
            group.member(3).thaw();

            assertThat(group.come(Set.of(3)::equals))
                    .as("the greater one leads on; " + group.logs())
                    .isTrue();
        }
    }
}
