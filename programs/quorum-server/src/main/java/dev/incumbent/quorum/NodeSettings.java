package dev.incumbent.quorum;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What a node is started with.
 *
 * @param members all nodes, this one among them
 * @param name which of them this one is
 * @param folder where it keeps what it must not forget
 * @param tokens what clients and nodes show; without any, everybody is admitted
 * @param tls by what it speaks TLS with clients and nodes; without, it is all plain
 * @param coming does it come back, or anew
 * @param electionTimeout after so long without a word from the leader, up to twice that, another is elected
 * @param snapshotEvery after how many entries the log is cut
 */
public record NodeSettings(
        List<Member> members,
        String name,
        Path folder,
        Tokens tokens,
        Optional<Certificates> tls,
        Coming coming,
        Duration electionTimeout,
        long snapshotEvery) {
    /** What a network of one place allows: another leads about 0.6 s after the last one's death. */
    public static final Duration ELECTION_TIMEOUT = Duration.ofMillis(150);

    /** Entries between snapshots, unless told otherwise. */
    public static final long SNAPSHOT_EVERY = 10_000;

    /** How a node comes to its quorum. */
    public enum Coming {
        /** As the member that it is, or is to be when the quorum begins. */
        AS_IT_IS,
        /** With an empty disk in the place of its last one. */
        REJOINING,
        /** With an empty disk that waits to be made a member; as it is, once it was. */
        JOINING
    }

    public NodeSettings {
        members = List.copyOf(members);
    }

    /** This node. */
    Member self() {
        return members.stream()
                .filter(member -> member.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no member is named " + name + " in " + members));
    }
}
