package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import java.util.List;

/** What goes wrong in a world, one thing after another. */
final class RaftFaults {
    private static final long MILLI = RaftWorld.MILLI;
    private static final long LAST = 40 * RaftWorld.SECOND;

    private final RaftWorld world;
    private final RaftLinks links;

    RaftFaults(RaftWorld world, RaftLinks links) {
        this.world = world;
        this.links = links;
    }

    void begin() {
        world.at(2 * RaftWorld.SECOND, this::next);
        world.at(LAST, this::cease);
    }

    private void next() {
        if (world.now() >= LAST) {
            return;
        }
        fault();
        long wait = world.draws().nextInt(3) == 0 ? 100 * MILLI : 2_000 * MILLI;
        world.at(world.now() + world.draws().nextLong(MILLI, wait), this::next);
    }

    private void cease() {
        world.tell("faults cease");
        links.heal();
        world.nodes().forEach(RaftNode::start);
    }

    private void fault() {
        RaftNode node = any();
        switch (world.draws().nextInt(12)) {
            case 0 -> crash(node);
            case 1 -> node.crashWithin(world.draws().nextInt(4));
            case 2 -> wipe(node);
            case 3 -> node.pauseUntil(world.now() + length(3_000));
            case 4 -> {
                world.tell(node.id + " is cut off");
                links.cutOff(node.id, ids(), world.now() + length(4_000));
            }
            case 5, 6 -> cutLink(node.id, any().id);
            case 7 -> transfer(any().id);
            case 8 -> mark();
            case 9 -> restartAll(node);
            case 10 -> jump(node);
            default -> links.slowUntil(world.now() + length(3_000));
        }
    }

    /** Sometimes all clocks are set at once. */
    private void jump(RaftNode node) {
        world.reached("clock jumped");
        long by = length(10_000);
        if (world.draws().nextBoolean()) {
            node.jump(by);
        } else {
            world.nodes().stream().filter(other -> other != node).forEach(other -> other.jump(by));
        }
    }

    private void crash(RaftNode node) {
        if (node.isUp()) {
            node.crash();
            world.restart(node);
        }
    }

    /** One at a time: two members without their disks, and nobody knows what they have voted. */
    private void wipe(RaftNode node) {
        boolean othersHaveDisks = world.nodes().stream().allMatch(other -> other == node || other.hasDisk());
        if (node.isUp() && node.hasDisk() && othersHaveDisks) {
            world.reached("disk wiped");
            node.wipe();
            world.restart(node);
        }
    }

    /** In one direction, or in both. */
    private void cutLink(MemberId from, MemberId to) {
        long until = world.now() + length(5_000);
        world.tell("the link from " + from + " to " + to + " is cut");
        links.cut(from, to, until);
        if (world.draws().nextBoolean()) {
            links.cut(to, from, until);
        }
    }

    private void transfer(MemberId to) {
        world.nodes().stream()
                .filter(node -> node.task() != 0 && !node.id.equals(to))
                .forEach(node -> {
                    world.reached("transfer asked");
                    world.tell(node.id + " is asked to hand over to " + to);
                    node.tell(new RaftEvent.TransferAsked(to));
                });
    }

    /** The leader does not hear one member, and all others restart: whom they are bound to they have forgotten. */
    private void restartAll(RaftNode apart) {
        for (RaftNode leader : world.nodes()) {
            if (leader.task() != 0 && leader != apart) {
                long until = world.now() + length(5_000);
                world.tell(leader.id + " and " + apart.id + " do not hear each other");
                links.cut(leader.id, apart.id, until);
                links.cut(apart.id, leader.id, until);
                world.nodes().stream()
                        .filter(node -> node != leader && node != apart)
                        .forEach(node -> world.at(world.now() + length(3_000), () -> restart(node)));
            }
        }
    }

    private void restart(RaftNode node) {
        if (node.isUp()) {
            node.crash();
            world.at(world.now() + length(100), node::start);
        }
    }

    private void mark() {
        if (world.draws().nextInt(3) == 0) {
            world.raiseBeyond(world.draws().nextLong(1, 5));
        }
    }

    private RaftNode any() {
        List<RaftNode> all = world.nodes();
        return all.get(world.draws().nextInt(all.size()));
    }

    private List<MemberId> ids() {
        return world.nodes().stream().map(node -> node.id).toList();
    }

    private long length(long mostMillis) {
        return world.draws().nextLong(mostMillis * MILLI / 20, mostMillis * MILLI);
    }
}
