package dev.incumbent.junit;

import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.internal.TaskRunner;
import dev.incumbent.model.Term;
import dev.incumbent.simulation.DriftingClock;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Optional;

/** The user's task for one term, on a thread of its own that runs in turn with the world's. */
final class VirtualTask implements TaskRunner.Run {
    /** So many calls of the world take one of these: no task goes on for ever at one instant. */
    private static final int CALLS_A_MOMENT = 100;

    private static final long MOMENT_NANOS = Duration.ofMillis(1).toNanos();

    private final VirtualProcess process;
    private final VirtualWorld world;
    private final Leadership leadership;
    private final TaskRunner.Returned returned;
    private final TaskThread thread;
    private boolean runs;
    private boolean sleeps;
    private boolean told;
    private int calls;
    private Timeline.Alarm alarm = () -> {};

    VirtualTask(VirtualProcess process, LeaderTask task, Leadership leadership, TaskRunner.Returned returned) {
        this.process = process;
        this.world = process.world();
        this.leadership = leadership;
        this.returned = returned;
        this.thread = new TaskThread(
                "task of " + process.name() + ", term " + leadership.term().number(),
                () -> task.lead(new WatchedLeadership(leadership, this)),
                world.realTimeLimit());
    }

    VirtualProcess process() {
        return process;
    }

    Term term() {
        return leadership.term();
    }

    boolean leads() {
        return runs && leadership.holds();
    }

    /** Is this called on its thread? */
    boolean isMine() {
        return thread.isMine();
    }

    @Override
    public void start() {
        process.platform().soon(() -> {
            runs = true;
            process.began(this);
            world.storyTeller().add(process.name() + " leads, term " + term().number());
            takeTurn();
        });
    }

    /** As a thread is interrupted; where it sleeps in the world, it wakes. */
    @Override
    public void interrupt() {
        if (!told && runs) {
            told = true;
            world.storyTeller().add(process.name() + " is told to stop, term " + term().number());
        }
        thread.interrupt();
        if (sleeps) {
            alarm.cancel();
            process.platform().soon(this::wake);
        }
    }

    /** On the world's thread, if its process lives: its next turn. */
    void takeTurn() {
        if (!runs || !process.isAlive() || world.hasFailed()) {
            return;
        }
        TaskThread.Turn turn = world.duringTurnOf(this, thread::turn);
        switch (turn) {
            case HANDED_OVER -> {}
            case OVER -> over();
            case NOT_BACK ->
                fails("has not come back to the world within " + world.realTimeLimit()
                        + " of real time: it waits or loops without a call of the world. Its thread stands at:"
                        + thread.stack());
            case INTERRUPTED -> fails("ran when the thread of the test was interrupted, at:" + thread.stack());
        }
    }

    private void fails(String how) {
        runs = false;
        thread.unwind();
        thread.interrupt();
        world.failed(new AssertionError("the task of " + process.name() + ", term " + term().number() + ", " + how));
    }

    private void over() {
        runs = false;
        thread.others()
                .forEach(other -> world.storyTeller()
                        .add("the task of " + process.name() + " has started the thread " + other
                                + ", which this world does not run"));
        Optional<Throwable> thrown = thread.thrown();
        world.storyTeller()
                .add("the task of " + process.name() + ", term " + term().number() + ", "
                        + thrown.map(what -> "throws " + what).orElse("returns"));
        if (thrown.isPresent() && thrown.get() instanceof Error error) {
            world.failed(error);
        } else {
            returned.accept(thrown);
        }
    }

    /** On its thread: sleeps on the clock of its machine, until then or until it is interrupted. */
    void sleep(Duration time) throws InterruptedException {
        point();
        if (!Thread.currentThread().isInterrupted()) {
            DriftingClock clock = process.clock();
            sleeps = true;
            alarm = clock.at(clock.nanos() + time.toNanos(), this::wake);
            thread.handOver();
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("the task is told to stop");
        }
    }

    private void wake() {
        if (sleeps) {
            sleeps = false;
            takeTurn();
        }
    }

    /** On its thread: waits for its next turn, which somebody else brings about. */
    void waitForTurn() {
        thread.handOver();
    }

    /** On its thread, in a call of the world: a fault may fall here. */
    void point() {
        thread.goOn();
        if (++calls % CALLS_A_MOMENT == 0) {
            DriftingClock clock = process.clock();
            clock.at(clock.nanos() + MOMENT_NANOS, this::takeTurn);
            thread.handOver();
        }
        if (process.machine().strikesNow(false)) {
            thread.handOver();
        }
    }

    /** On its thread: its guard has been asked, and the answer is not told yet. */
    void checked(boolean holds) {
        point();
        if (holds && process.machine().strikesNow(true)) {
            thread.handOver();
        }
    }

    /** Its process has died: its thread ends where it stands. On the world's thread. */
    void die() {
        if (!runs) {
            return;
        }
        runs = false;
        thread.unwind();
        TaskThread.Turn turn = thread.hasStarted() ? world.duringTurnOf(this, thread::turn) : TaskThread.Turn.OVER;
        if (turn == TaskThread.Turn.NOT_BACK) {
            fails("does not end although its process is dead. Its thread stands at:" + thread.stack());
        }
    }
}
