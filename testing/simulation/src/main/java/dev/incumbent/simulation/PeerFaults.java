package dev.incumbent.simulation;

import dev.incumbent.model.LeaderRecord;
import java.util.stream.IntStream;

/** What goes wrong between the processes of a world that hear each other, while the store and the sinks are reached. */
final class PeerFaults {
    /** The amount of a fault after which a process neither reads beats nor sends any, for its length. */
    static final int READS_NOTHING = 7;

    private static final int KINDS = 9;
    private static final int SLOW_BEATS = 6;

    private final World world;

    PeerFaults(World world) {
        this.world = world;
    }

    void happen(Fault fault, Node node) {
        int me = node.index();
        int all = world.nodes().size();
        int other = (me + 1 + (int) (fault.amount() / KINDS % (all - 1))) % all;
        long until = world.now() + fault.lengthNanos();
        PeerNetwork peers = world.peers();
        switch ((int) (fault.amount() % KINDS)) {
            case 0 -> peers.way(me, other).cutUntil(until);
            case 1 -> peers.way(other, me).cutUntil(until);
            case 2 -> cut(me, other, until);
            case 3 -> others(me).forEach(one -> cut(me, one, until));
            case 4 -> others(me).forEach(one -> peers.way(one, me).cutUntil(until));
            case 5 -> others(me).forEach(one -> slow(me, one, until));
            case 6 -> refuse(me, other, fault.amount() / KINDS % 3 > 0, until);
            case READS_NOTHING -> node.readsNoBeatsUntil(until);
            default -> suspectUnheard(node, fault.lengthNanos());
        }
    }

    /** Cut off from all others it does not hear who leads next, and is told to suspect it. */
    private void suspectUnheard(Node node, long length) {
        others(node.index()).forEach(one -> cut(node.index(), one, world.now() + length));
        world.agenda()
                .in(
                        length / 3,
                        () -> world.nodes().stream()
                                .filter(other -> other != node)
                                .flatMap(other -> other.players().stream())
                                .filter(Player::guardHolds)
                                .forEach(Player::resign));
        world.agenda().in(length * 2 / 3, () -> node.players().forEach(this::suspectsInVain));
    }

    /** Of whom it has not heard itself in this term, or whom nothing fences; what a driver that gets no processor has heard waits. */
    private void suspectsInVain(Player player) {
        LeaderRecord record = world.record(player.election()).record();
        boolean isHeard = record.leader()
                .filter(leader -> player.state().memory().terms().heard().is(leader.id(), record.term()))
                .isPresent();
        boolean mayHearYet = world.now() < player.node().starvedUntil();
        if (world.sinks().isEmpty() || !(isHeard || mayHearYet)) {
            player.suspects(record, world.sinks().isEmpty());
        }
    }

    private IntStream others(int me) {
        return IntStream.range(0, world.nodes().size()).filter(one -> one != me);
    }

    private void cut(int one, int other, long until) {
        world.peers().way(one, other).cutUntil(until);
        world.peers().way(other, one).cutUntil(until);
    }

    private void slow(int one, int other, long until) {
        long extra = SLOW_BEATS * world.peers().beatNanos();
        world.peers().way(one, other).slowUntil(until, extra);
        world.peers().way(other, one).slowUntil(until, extra);
    }

    private void refuse(int me, int other, boolean everybody, long until) {
        others(me)
                .filter(one -> everybody || one == other)
                .forEach(one -> world.peers().refuse(me, one, until));
    }
}
