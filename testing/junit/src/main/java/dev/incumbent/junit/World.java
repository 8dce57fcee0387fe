package dev.incumbent.junit;

import dev.incumbent.LeaderTask;
import dev.incumbent.fence.Sink;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A virtual world: candidates of one election, each a process on a machine of its own with clocks of its own; a coordinator and stores behind a network; and faults. The election is the shipped
 * library, the task of a candidate is yours, unchanged. Time is virtual: it passes only in {@link #runFor} and {@link #awaitLeader}, and an hour takes seconds.
 *
 * <p>One thread of the world runs at a time. The test's thread sets the world up, lets time pass, and asserts. A task has a thread of its own, which runs while the test's thread waits, and hands
 * over to the world in {@link #sleep}, in each call of a {@link VirtualStore} and, if a fault falls there, in {@code holds()}, {@code check()} and {@code remaining()} of its {@link dev.incumbent.Leadership}.
 * Elsewhere no time passes for a task. All that the world draws follows from the seed: the same seed and the same code, the same story.
 *
 * <p>So the code of a task starts no threads, does not wait for real time ({@code Thread.sleep}, a lock, a queue), does not read the system's clock, and draws no random numbers but from a seed of its
 * own. A call of the world from a thread that it does not run throws an {@link IllegalStateException}. A task that does not come back to the world within the {@linkplain #realTimeLimit real-time
 * limit} fails the test.
 *
 * <p>A process that is killed ends where its task stands: an {@link Error} unwinds the thread. An {@link Error} of the task's own, such as an {@link AssertionError}, fails the test; an exception ends
 * its term, as in the library.
 */
public interface World {
    /** From which all that is random here is drawn. */
    long seed();

    /** How long leases are; before the first candidate. 15 seconds, unless told. */
    void lease(Duration length);

    /** How long, in real time, a task may run between two calls of the world; 20 seconds, unless told. A debugger wants more. */
    void realTimeLimit(Duration limit);

    /** Puts your object behind the network, without a fence of the world's; it may have one of your own. */
    <T> VirtualStore<T> store(String name, T object);

    /** Puts your object behind the network and a fence, which each new leader raises before its task begins; before the first candidate. */
    <T> VirtualStore<T> fencedStore(String name, T object);

    /**
     * Has all candidates guard a sink of your own, so that each new leader raises it before its task begins; before the first candidate. The world asks it over the network, and waits for its answer
     * in real time. The caller closes it.
     */
    void guarding(Sink sink);

    /** Adds a candidate, on a machine of that name. Its process starts with the next instant, and runs the task in each term that it leads. After {@link #kill} and {@link #restart} the same object runs. */
    void candidate(String name, LeaderTask task);

    /** Lets so much time pass. Throws what has failed meanwhile: an {@link Error} of a task, or an invariant. */
    void runFor(Duration time);

    /** Lets time pass until a task runs whose guard says yes, and tells whose; ten leases at most, or throws an {@link AssertionError}. */
    String awaitLeader();

    /** Whose task runs, and its guard says yes; of several, the one that began last. */
    Optional<String> leader();

    /** How much time has passed. */
    Duration elapsed();

    /** For a task: sleeps for so long on the clock of its machine. Throws, as {@code Thread.sleep} does, once the task is told to stop. */
    void sleep(Duration time) throws InterruptedException;

    /** A clock to give to your code: in a task it shows the wall clock of the task's machine, elsewhere the coordinator's. */
    Clock clock();

    /** The process of that candidate stands still for so long, from now on. */
    void pause(String candidate, Duration time);

    /** The same for the leader. Throws an {@link IllegalStateException} if nobody leads. */
    void pauseLeader(Duration time);

    /** The leader's process will stand still for so long, right after its task has asked its guard the next time and before it has the answer. Throws an {@link IllegalStateException} if nobody leads. */
    void pauseLeaderAfterItsNextCheck(Duration time);

    /** The process of that candidate dies, and does not come back before {@link #restart}. */
    void kill(String candidate);

    /** Starts the process of a candidate that is dead. */
    void restart(String candidate);

    /** The candidate is cut off from the coordinator for so long. It reaches the stores. */
    void partition(String candidate, Duration time);

    /** The candidate is cut off from the coordinator and from all stores for so long. */
    void isolate(String candidate, Duration time);

    /** Sets the wall clock of that candidate's machine forward, or back where it is negative. */
    void stepClock(String candidate, Duration by);

    /** From now on faults of these kinds happen as the seed draws them, about two in three leases; without arguments, of all kinds. */
    void injectFaults(FaultKind... kinds);

    /** No more faults are injected; what is paused goes on, what is cut off is not any more, and what an injected fault has killed starts. */
    void heal();

    /** Asks after each event of this world whether that holds, and fails the test as soon as it does not. Called on the test's thread. */
    void always(String sentence, BooleanSupplier holds);

    /**
     * Throws an {@link AssertionError} if a stale write was accepted by a store of this world: a write by the leader of an earlier term, after the store had served a leader of a later term.
     */
    void assertNoStaleWrites();

    /** What has happened, in order, a line each. */
    List<String> story();
}
