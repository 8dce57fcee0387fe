package dev.incumbent.simulation;

import dev.incumbent.model.CandidateId;
import java.util.List;
import java.util.Optional;

/** Whether a leader was really missed, by what went wrong within the last lease: for so long a suspicion, and the claim that follows it, may be under way. */
final class Missing {
    private final World world;

    Missing(World world) {
        this.world = world;
    }

    /** Is its process gone? */
    boolean isGone(CandidateId leader) {
        return running(leader).isEmpty();
    }

    /** Did its process stand still, or read nothing? */
    boolean stoodStill(CandidateId leader) {
        return running(leader)
                .filter(node -> node.clock().pausedUntil() >= since() || node.readsNoBeatsUntil() >= since())
                .isPresent();
    }

    /** Has the claimant a reason to preempt it? */
    boolean isMissed(CandidateId leader, CandidateId claimant) {
        Optional<Node> by = running(claimant);
        if (isGone(leader) || stoodStill(leader) || by.isEmpty()) {
            return true;
        }
        int at = running(leader).orElseThrow().index();
        return isRefused(at, by.get().index()) || isMissedByMost(at, by.get().index());
    }

    private long since() {
        return world.now() - world.profile().leaseNanos();
    }

    private Optional<Node> running(CandidateId id) {
        return world.nodes().stream()
                .filter(node -> node.process()
                        .filter(process -> process.candidate().id().equals(id))
                        .isPresent())
                .findFirst();
    }

    /** Most of those that listened to it when the claimant began to miss it miss it, too. */
    private boolean isMissedByMost(int at, int by) {
        PeerWay way = world.peers().way(at, by);
        long silent = others(at).stream()
                .filter(one -> world.peers().way(at, one.index()).isTroubledSince(since()))
                .count();
        long listeners = Math.max(1, world.peers().listenersAt(at, way.troubledFrom()));
        return way.isTroubledSince(since()) && 2 * silent > listeners;
    }

    /** The claimant was refused there, and not at the same time by most of the others. */
    private boolean isRefused(int at, int by) {
        PeerWay way = world.peers().way(by, at);
        List<Node> others = others(at).stream().filter(one -> one.index() != by).toList();
        long lost = others.stream()
                .map(one -> world.peers().way(by, one.index()))
                .filter(one -> one.refusedAt(way.refusedFrom()))
                .count();
        return way.isRefusedSince(since()) && 2 * lost <= others.size();
    }

    private List<Node> others(int at) {
        return world.nodes().stream()
                .filter(node -> node.index() != at && node.isUp())
                .toList();
    }
}
