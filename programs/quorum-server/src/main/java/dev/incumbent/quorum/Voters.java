package dev.incumbent.quorum;

import dev.incumbent.quorum.Replica.Peer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.SetConfigurationRequest;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;

/** Who votes in the replication, as this node knows, and how that changes. Thread-safe. */
final class Voters {
    private static final long LEAST_PATIENCE_MILLIS = 1_000;

    private final RaftServer server;
    private final RaftGroupId group;
    private final ClientId client;
    private final LongSupplier calls;
    private final long patienceMillis;

    Voters(RaftServer server, RaftGroupId group, Asking asking) {
        this.server = server;
        this.group = group;
        this.client = asking.client();
        this.calls = asking.calls();
        this.patienceMillis = Math.max(LEAST_PATIENCE_MILLIS, asking.patienceMillis());
    }

    /**
     * How this node asks its own replica.
     *
     * @param calls numbers each request
     * @param patienceMillis for so long the others may be silent
     */
    record Asking(ClientId client, LongSupplier calls, long patienceMillis) {}

    /** By member and disk; of a change that is under way, those before and after it. */
    Set<String> ids() {
        return configuration()
                .map(now -> now.getAllPeers().stream()
                        .map(peer -> peer.getId().toString())
                        .collect(Collectors.toUnmodifiableSet()))
                .orElse(Set.of());
    }

    /**
     * With their addresses; none while the membership changes.
     *
     * @param known the members by whose names those are found that an older build wrote down without an address
     */
    Optional<List<Peer>> peers(List<Member> known) {
        return configuration()
                .filter(now -> now.getPreviousPeers().isEmpty())
                .map(now -> now.getCurrentPeers().stream()
                        .map(peer -> Peer.of(peer).or(() -> named(peer, known)))
                        .flatMap(Optional::stream)
                        .toList())
                .filter(peers -> peers.size() == ids().size());
    }

    private static Optional<Peer> named(RaftPeer peer, List<Member> known) {
        String id = peer.getId().toString();
        return known.stream()
                .filter(member -> member.name().equals(Peer.nameOf(id)))
                .map(member -> new Peer(member, Peer.diskOf(id)))
                .findFirst();
    }

    /** Is a change of the membership under way? */
    boolean areChanging() {
        return configuration().filter(now -> !now.getPreviousPeers().isEmpty()).isPresent();
    }

    /** For how many milliseconds the others have not answered, by their names; nothing where this node does not lead. */
    Map<String, Long> silences() {
        return division().filter(DivisionInfo::isLeader).flatMap(Replica::role).stream()
                .flatMap(role -> role.getLeaderInfo().getFollowerInfoList().stream())
                .collect(Collectors.toMap(
                        other -> Peer.nameOf(other.getId().getId().toStringUtf8()),
                        ServerRpcProto::getLastRpcElapsedTimeMs,
                        Math::min));
    }

    /** For so long a member may be silent. */
    long patienceMillis() {
        return patienceMillis;
    }

    /** The names of those that have been silent for longer than they may; nobody where this node does not lead. */
    Set<String> silent() {
        return silences().entrySet().stream()
                .filter(other -> other.getValue() > patienceMillis)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    CompletableFuture<RaftClientReply> replace(Peer disk) {
        List<RaftPeer> current =
                configuration().map(now -> List.copyOf(now.getCurrentPeers())).orElse(List.of());
        List<RaftPeer> next = new ArrayList<>(current);
        next.removeIf(peer -> Peer.nameOf(peer.getId()).equals(disk.member().name()));
        next.add(disk.forRatis());
        return change(current, next);
    }

    CompletableFuture<RaftClientReply> change(Set<String> now, List<Peer> next) {
        List<RaftPeer> current =
                now.stream().map(id -> RaftPeer.newBuilder().setId(id).build()).toList();
        return change(current, next.stream().map(Peer::forRatis).toList());
    }

    private CompletableFuture<RaftClientReply> change(List<RaftPeer> current, List<RaftPeer> next) {
        SetConfigurationRequest.Arguments arguments = SetConfigurationRequest.Arguments.newBuilder()
                .setMode(SetConfigurationRequest.Mode.COMPARE_AND_SET)
                .setServersInCurrentConf(current)
                .setServersInNewConf(next)
                .build();
        try {
            return server.setConfigurationAsync(
                    new SetConfigurationRequest(client, server.getId(), group, calls.getAsLong(), arguments));
        } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private Optional<DivisionInfo> division() {
        try {
            return Optional.of(server.getDivision(group).getInfo());
        } catch (IOException | RuntimeException notYetOrNotAnyMore) {
            return Optional.empty();
        }
    }

    private Optional<RaftConfiguration> configuration() {
        try {
            return Optional.of(server.getDivision(group).getRaftConf());
        } catch (IOException | RuntimeException notYetOrNotAnyMore) {
            return Optional.empty();
        }
    }
}
