package dev.incumbent.coordinator.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.Election;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.peers.MemberId;
import dev.incumbent.servers.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a candidacy that could not begin leaves behind, which is nothing. */
class PeerOpeningTest {
    private static final int TRIES = 50;

    @TempDir
    Path folder;

    @Test
    void aMemberWhosePortIsTakenLeavesNothingBehind() throws IOException {
        List<Integer> ports = FreePorts.some(2);
        String group = "peers+raft://127.0.0.1:" + ports.get(0) + ",127.0.0.1:" + ports.get(1) + "?me=127.0.0.1:"
                + ports.get(0) + "&data=" + folder;
        PeerElections.found(group, "closer");
        try (ServerSocket taken = new ServerSocket(ports.get(0), 1, InetAddress.getLoopbackAddress());
                PeerElections peers = PeerElections.connect(group).quiet().open()) {
            Election election = peers.election("closer");
            refused(election, ports.get(0));
            long openBefore = descriptors();
            long threadsBefore = threads();

            for (int i = 0; i < TRIES; i++) {
                refused(election, ports.get(0));
            }

            assertThat(descriptors()).as("open files, beside " + taken).isLessThan(openBefore + TRIES);
            assertThat(threads()).as("threads").isLessThan(threadsBefore + TRIES);
            MemberId me = new MemberId("127.0.0.1:" + ports.get(0));
            PeerDisk.open(folder, new ElectionName("closer"), peers.uri().groupOf(me))
                    .close();
        }
    }

    private static void refused(Election election, int port) {
        assertThatThrownBy(election::campaign)
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessageStartingWith("this member cannot listen at 127.0.0.1:" + port);
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("incumbent"))
                .count();
    }
}
