package dev.incumbent.simulation;

import dev.incumbent.model.ElectionName;
import java.util.Optional;

/**
 * A preemption that its victim hears of late: as soon as the store has answered one more question of the leader's, another takes its term. That answer comes
 * late, those after it and the sinks' do not come for more than a lease; its lease is kept alive meanwhile.
 */
final class Preemption {
    private final World world;
    private final Player leader;
    private final By by;

    /** Which answer it waits for. */
    enum By {
        READ,
        WATCH
    }

    Preemption(World world, Player leader, By by) {
        this.world = world;
        this.leader = leader;
        this.by = by;
    }

    /** Such an answer has come: it happens now, if that is the one, and says how late the answer is to be told. */
    Optional<Long> happens(By answered) {
        if (answered != by || !leader.guardHolds() || !leader.node().watches()) {
            return Optional.empty();
        }
        Node node = leader.node();
        long lease = world.profile().leaseNanos();
        node.preempts(Optional.empty());
        node.toSinks().cutUntil(world.now() + lease * 3 / 2);
        node.failsCalls(Calling.READS, Calling.Fails.UNANSWERED, world.now() + lease * 3 / 2);
        node.watchesNothingUntil(world.now() + lease / 2);
        world.reach(Milestone.PREEMPTED_UNHEARD);
        world.trace(() -> leader.candidate() + " is preempted unheard, " + by + ", by "
                + another().map(Player::candidate));
        another().ifPresent(this::suspects);
        return Optional.of(world.timing().requestTimeout().toNanos() * 3 / 4);
    }

    private Optional<Player> another() {
        ElectionName election = leader.election();
        return world.nodes().stream()
                .filter(node -> node != leader.node())
                .flatMap(node -> node.player(election).stream())
                .filter(Player::wantsToLead)
                .findFirst();
    }

    private void suspects(Player other) {
        other.suspects(world.record(leader.election()).record(), true);
    }
}
