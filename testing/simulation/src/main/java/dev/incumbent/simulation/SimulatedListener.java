package dev.incumbent.simulation;

import dev.incumbent.Leadership;
import dev.incumbent.TermListener;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.Term;
import java.util.Optional;

/** A listener of a candidacy without a task: hears each term begin, then end, or says what it heard instead. */
final class SimulatedListener implements TermListener {
    private final World world;
    private final Player player;
    private Optional<Term> open = Optional.empty();

    SimulatedListener(World world, Player player) {
        this.world = world;
        this.player = player;
    }

    @Override
    public void onGranted(Leadership leadership) {
        if (open.isPresent()) {
            world.violated(
                    "ListenersHearPairsInOrder", leadership.term() + " begins, and " + open.get() + " has not ended");
        }
        open = Optional.of(leadership.term());
        if (player.node().listenersThrow()) {
            world.reach(Milestone.LISTENER_THREW);
            throw new IllegalStateException("a listener that throws");
        }
    }

    @Override
    public void onRevoked(Leadership leadership, EndReason reason) {
        if (!open.equals(Optional.of(leadership.term()))) {
            world.violated("ListenersHearPairsInOrder", leadership.term() + " ends, and begun was " + open);
        }
        open = Optional.empty();
    }
}
