package dev.incumbent.simulation;

import dev.incumbent.model.Term;
import dev.incumbent.protocol.Event.TaskOutcome;

/**
 * The task of one term: asks its guard, then writes, again and again. A stubborn one does not stop when it is told to, and asks no guard any more. Where a
 * candidacy is led without a task, it stands for whoever asks and writes: nobody waits for those, and none is stubborn.
 */
final class SimulatedTask {
    private final Player player;
    private final Term term;
    private final Begun begun;
    private final boolean waitedFor;
    private boolean stubborn;
    private boolean interrupted;
    private boolean forEver;
    private boolean over;

    SimulatedTask(Player player, Term term, Begun begun, Manner manner) {
        this.player = player;
        this.term = term;
        this.begun = begun;
        this.waitedFor = manner != Manner.ASKED;
        this.stubborn = manner == Manner.STUBBORN;
    }

    /** How it goes about it. */
    enum Manner {
        GOOD,
        STUBBORN,
        ASKED
    }

    Begun begun() {
        return begun;
    }

    Term term() {
        return term;
    }

    boolean runs() {
        return !over;
    }

    void start() {
        writeLater();
    }

    /** Stops soon, if it is a good one; a stubborn one takes up to two leases. Is it waited for? */
    boolean interrupt() {
        if (!waitedFor) {
            over = true;
        }
        if (interrupted || over) {
            return waitedFor;
        }
        interrupted = true;
        long budget = player.setup().timing().stopBudget().toNanos();
        long lease = player.setup().timing().lease().toNanos();
        long after = stubborn ? lease / 2 + player.draw(2 * lease) : player.draw(budget / 2 + 1);
        if (!forEver) {
            player.clock().at(player.clock().nanos() + after, () -> end(TaskOutcome.RETURNED));
        }
        return true;
    }

    void end(TaskOutcome outcome) {
        if (!over) {
            over = true;
            player.taskReturned(this, outcome);
        }
    }

    /** Its process is gone. */
    void die() {
        over = true;
    }

    void neverStops() {
        stubborn = waitedFor;
        forEver = waitedFor;
    }

    void reform() {
        stubborn = false;
        if (interrupted) {
            end(TaskOutcome.RETURNED);
        }
    }

    private void writeLater() {
        long every = player.setup().timing().lease().toNanos() / 12;
        player.clock().at(player.clock().nanos() + every / 2 + player.draw(every), this::write);
    }

    private void write() {
        if (over) {
            return;
        }
        if (player.node().isCutFromSinksForEver()) {
            end(TaskOutcome.THREW);
            return;
        }
        if (player.guardHolds() || stubborn) {
            player.write(this);
        }
        writeLater();
    }
}
