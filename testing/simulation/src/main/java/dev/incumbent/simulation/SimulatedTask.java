package dev.incumbent.simulation;

import dev.incumbent.Leadership;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.model.Term;
import java.util.Optional;

/**
 * The task of one term: asks its guard, then writes, again and again. A stubborn one does not stop when it is told to, and asks no guard any more. Where a
 * candidacy is led without a task, it stands for whoever asks and writes: nobody waits for those, and none is stubborn.
 */
final class SimulatedTask implements TaskRunner.Run {
    private final Player player;
    private final Term term;
    private final Begun begun;
    private final Optional<Leadership> leadership;
    private final TaskRunner.Returned returned;
    private boolean stubborn;
    private boolean interrupted;
    private boolean forEver;
    private boolean started;
    private boolean over;

    SimulatedTask(Player player, Leadership leadership, Begun begun, Manner manner, TaskRunner.Returned returned) {
        this(player, leadership.term(), begun, Optional.of(leadership), returned);
        this.stubborn = manner == Manner.STUBBORN;
    }

    private SimulatedTask(
            Player player, Term term, Begun begun, Optional<Leadership> leadership, TaskRunner.Returned returned) {
        this.player = player;
        this.term = term;
        this.begun = begun;
        this.leadership = leadership;
        this.returned = returned;
    }

    /** Whoever asks and writes in a term without a task. */
    static SimulatedTask asked(Player player, Term term, Begun begun) {
        return new SimulatedTask(player, term, begun, Optional.empty(), failure -> {});
    }

    /** How it goes about it. */
    enum Manner {
        GOOD,
        STUBBORN
    }

    Begun begun() {
        return begun;
    }

    Term term() {
        return term;
    }

    /** The leadership that it was given; none where nobody runs a task. */
    Optional<Leadership> leadership() {
        return leadership;
    }

    boolean runs() {
        return started && !over;
    }

    /** What its own leadership says, as long as it runs. */
    boolean holds() {
        return runs() && leadership.filter(Leadership::holds).isPresent();
    }

    @Override
    public void start() {
        if (player.node().cannotStartAThread()) {
            player.node().noThreadWasStarted();
            throw new OutOfMemoryError("unable to create native thread");
        }
        begin();
        if (player.node().failsItsTasks()) {
            end(Optional.of(new IllegalStateException("a task that fails")));
        }
    }

    /** Asks and writes from now on. */
    void begin() {
        started = player.process().isAlive();
        writeLater();
    }

    /** Stops soon, if it is a good one; a stubborn one takes up to two leases. */
    @Override
    public void interrupt() {
        if (interrupted || over || leadership.isEmpty()) {
            return;
        }
        interrupted = true;
        long budget = player.setup().timing().stopBudget().toNanos();
        long lease = player.setup().timing().lease().toNanos();
        long after = stubborn ? lease / 2 + player.draw(2 * lease) : player.draw(budget / 2 + 1);
        if (!forEver) {
            player.clock().at(player.clock().nanos() + after, () -> end(Optional.empty()));
        }
    }

    /** When it was told to stop it has been told for good. */
    boolean isInterrupted() {
        return interrupted;
    }

    boolean isWaitedFor() {
        return leadership.isPresent();
    }

    /** Where nobody runs a task, none fails. */
    void fail() {
        if (leadership.isPresent()) {
            end(Optional.of(new IllegalStateException("a task that fails")));
        }
    }

    void end(Optional<Throwable> failure) {
        if (!over) {
            over = true;
            player.node().guardsMayChange();
            returned.accept(failure);
        }
    }

    /** Whoever merely asks is told no from now on. */
    void termEnded() {
        over |= leadership.isEmpty();
    }

    /** Its process is gone. */
    void die() {
        over = true;
    }

    void neverStops() {
        stubborn = leadership.isPresent();
        forEver = leadership.isPresent();
    }

    void reform() {
        stubborn = false;
        if (interrupted) {
            end(Optional.empty());
        }
    }

    private void giveUp() {
        if (leadership.isPresent()) {
            end(Optional.of(new IllegalStateException("its writes do not arrive")));
        } else {
            player.well(false);
        }
    }

    private void writeLater() {
        long every = player.setup().timing().lease().toNanos() / 6;
        player.clock().at(player.clock().nanos() + every / 2 + player.draw(every), this::write);
    }

    private void write() {
        if (over) {
            return;
        }
        if (player.node().isCutFromSinksForEver()) {
            giveUp();
            return;
        }
        if (stubborn || (leadership.isPresent() ? leadership.get().holds() : player.guardHolds())) {
            player.write(this);
        }
        writeLater();
    }
}
