package dev.incumbent.simulation;

import dev.incumbent.Election;
import dev.incumbent.FenceAgent;
import dev.incumbent.Stonith;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Holder;
import dev.incumbent.model.HolderProof;
import dev.incumbent.model.NodeBoot;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The power switches of a world's machines, and the agents that ask them. An agent takes some of its time, and acts at the end of it even if whoever started it is paused or gone. Draws
 * of its own leave all other draws as they are.
 */
final class PowerSwitches {
    private final World world;
    private final Draws draws;
    private final Duration bound;
    private long failUntil;

    PowerSwitches(World world) {
        this.world = world;
        this.draws = new Draws(Draws.mix(world.profile().seed(), 80), 1);
        this.bound = world.timing().lease().dividedBy(3);
    }

    /** Until that true time nobody can be turned off. */
    void failsUntil(long time) {
        failUntil = Math.max(failUntil, time);
    }

    /** The election of that player, with an agent where this world has some. */
    Election connected(Election election, Player player) {
        if (!world.profile().isTurnedOff()) {
            return election;
        }
        Node node = player.node();
        NodeBoot on =
                new NodeBoot(name(node), node.bootId(), player.candidate().id().value());
        FenceAgent agent = (holder, window) -> turnOff(player, holder, window);
        return election.withStonith(new Stonith(on, bound, agent));
    }

    private static String name(Node node) {
        return "host" + node.index();
    }

    private CompletionStage<HolderProof.Kind> turnOff(Player asking, Holder holder, FenceAgent.Window window) {
        Node target = world.nodes().stream()
                .filter(node -> name(node).equals(holder.on().node()))
                .findFirst()
                .orElseThrow();
        if (target.equals(asking.node())) {
            return seenGone(target, holder);
        }
        if (!window.isOpen()) {
            return CompletableFuture.failedFuture(new IllegalStateException("the window is closed"));
        }
        CompletableFuture<HolderProof.Kind> answer = new CompletableFuture<>();
        long drawn = 1 + draws.below(0, bound.toNanos() * 9 / 10);
        resignMeanwhile(asking, drawn / 2);
        world.agenda().in(world.canary().fencingTakes(drawn), () -> {
            Runnable told = switchedOff(target, asking.election(), holder)
                    ? () -> answer.complete(HolderProof.Kind.OFF)
                    : () -> answer.completeExceptionally(new IllegalStateException("the switch does not answer"));
            asking.clock().whenAwake(() -> {
                if (asking.process().isAlive()) {
                    told.run();
                }
            });
        });
        return answer;
    }

    /** Now and then whoever asked does not want to lead any more while its agent works. */
    private void resignMeanwhile(Player asking, long after) {
        if (draws.oneIn(0, 8) && !world.faults().haveCeased()) {
            world.agenda().in(after, () -> {
                if (asking.process().isAlive()) {
                    asking.resign();
                }
            });
        }
    }

    /** On one's own machine: has that process come to its end? */
    private CompletionStage<HolderProof.Kind> seenGone(Node here, Holder holder) {
        if (here.runs(holder.candidate())) {
            return CompletableFuture.failedFuture(new IllegalStateException("its process runs on this machine"));
        }
        world.reach(Milestone.HOLDER_SEEN_GONE);
        return CompletableFuture.completedFuture(HolderProof.Kind.ABSENT);
    }

    private boolean switchedOff(Node target, ElectionName election, Holder holder) {
        if (world.now() < failUntil && !world.faults().haveCeased()) {
            return false;
        }
        world.trace(() -> "n" + target.index() + " is turned off for " + holder);
        world.inspectors().turnsOff(target, election, holder.term());
        world.reach(Milestone.HOLDER_TURNED_OFF);
        target.turnOff(world.timing().lease().toNanos() * draws.between(0, 1, 3));
        return true;
    }
}
