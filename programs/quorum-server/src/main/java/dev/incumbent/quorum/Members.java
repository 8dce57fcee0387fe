package dev.incumbent.quorum;

import dev.incumbent.coordinator.quorum.wire.Line;
import dev.incumbent.quorum.Replica.Peer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.util.ProtoUtils;

/**
 * Who votes, by which disks and at which addresses, as a configuration in the log says; of two lists the one that stands later in the log counts.
 *
 * @param index where it stands in the log; 0 where no configuration that names addresses was applied yet
 */
record Members(long index, List<Peer> peers) {
    static final Members UNKNOWN = new Members(0, List.of());
    /** {@code MEMBERS index} and pairs of a member and its disk. */
    static final String WORD = "MEMBERS";

    Members {
        peers = peers.stream().sorted(Comparator.comparing(Peer::id)).toList();
    }

    boolean areKnown() {
        return !peers.isEmpty();
    }

    boolean have(String peerId) {
        return peers.stream().anyMatch(peer -> peer.id().equals(peerId));
    }

    Optional<Peer> named(String name) {
        return peers.stream().filter(peer -> peer.member().name().equals(name)).findFirst();
    }

    List<Member> members() {
        return peers.stream().map(Peer::member).toList();
    }

    Members later(Members other) {
        return other.index > index ? other : this;
    }

    /** Those of a configuration, unless it is one of two in a change, or was written by a build that names no addresses. */
    static Optional<Members> of(long index, RaftConfigurationProto told) {
        List<Peer> peers = ProtoUtils.toRaftPeers(told.getPeersList()).stream()
                .map(Peer::of)
                .flatMap(Optional::stream)
                .toList();
        return told.getOldPeersCount() > 0 || peers.size() < told.getPeersCount() || peers.isEmpty()
                ? Optional.empty()
                : Optional.of(new Members(index, peers));
    }

    String line() {
        List<String> fields = new ArrayList<>(List.of(WORD, Long.toString(index)));
        peers.forEach(peer -> fields.addAll(List.of(peer.member().toString(), peer.disk())));
        return Line.of(fields);
    }

    static Members of(List<String> fields) {
        List<Peer> peers = new ArrayList<>();
        for (int i = 2; i + 1 < fields.size(); i += 2) {
            peers.add(new Peer(Member.of(fields.get(i)), fields.get(i + 1)));
        }
        return new Members(Long.parseLong(fields.get(1)), peers);
    }

    @Override
    public String toString() {
        return members().toString();
    }
}
