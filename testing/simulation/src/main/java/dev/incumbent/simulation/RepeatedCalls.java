package dev.incumbent.simulation;

import dev.incumbent.model.Candidate;
import java.util.Optional;

/** A program, or an operator, that calls the same twice: at once, and again after a while, when the first call may be under way or have ended. */
final class RepeatedCalls {
    private static final int KINDS = 4;

    private final World world;
    private final Fault fault;
    private final Candidate successor;

    RepeatedCalls(World world, Fault fault, Candidate successor) {
        this.world = world;
        this.fault = fault;
        this.successor = successor;
    }

    void begin(Optional<Player> leader, Optional<Player> other) {
        switch ((int) (fault.amount() % KINDS)) {
            case 0 -> leader.ifPresent(this::resigns);
            case 1 -> leader.ifPresent(this::transfers);
            case 2 -> other.filter(Player::wantsToLead).ifPresent(this::closes);
            default -> {
                world.reach(Milestone.CALLED_TWICE);
                leader.ifPresent(one -> world.operator().twice(one.election(), successor, fault));
            }
        }
    }

    private void resigns(Player player) {
        world.reach(Milestone.CALLED_TWICE);
        player.resign();
        player.resign();
        soon(player, player::resign);
    }

    private void transfers(Player player) {
        world.reach(Milestone.CALLED_TWICE);
        player.transferTo(successor);
        player.transferTo(successor);
        player.transferTo(player.candidate());
        soon(player, () -> player.transferTo(successor));
    }

    /** And what is closed is called while it leaves, and once another candidacy stands. */
    private void closes(Player player) {
        world.reach(Milestone.CALLED_TWICE);
        player.campaignsOnceMore();
        player.withdraw();
        player.callsWhatItClosed(successor);
        player.stand();
        soon(player, () -> player.callsWhatItClosed(successor));
    }

    private void soon(Player player, Runnable call) {
        world.agenda().in(fault.lengthNanos() / 8, () -> {
            if (player.process().isAlive()) {
                call.run();
            }
        });
    }
}
