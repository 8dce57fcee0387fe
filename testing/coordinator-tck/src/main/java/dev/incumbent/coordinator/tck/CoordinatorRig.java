package dev.incumbent.coordinator.tck;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Set;

/**
 * One store under test, its clients, and the time and wires between them; made anew for each test.
 *
 * <p>What a rig can do, it declares: the tests themselves are the same for every store. Clients may live in this process or in others.
 */
public interface CoordinatorRig extends AutoCloseable {
    /** Connects one more client, opened with {@link #timeline()} and {@link #requestTimeout()}. */
    Coordinator connect();

    /** The clients' clocks. */
    Timeline timeline();

    /** The bound of a call. */
    Duration requestTimeout();

    /** The lease that tests ask for: as short as the store grants where time is real, and several request timeouts long. */
    Duration lease();

    /** How much later than its bound something may come, on a crowded machine. */
    Duration slack();

    /** Lets that much time pass, here and at the store: virtual time moves, real time is waited for. */
    void passTime(Duration length);

    /** What can be done to the store. */
    Set<Ability> abilities();

    /** In which ways a client can be cut off. */
    Set<Cut> cuts();

    /** Is a swap one message, so that one which arrives applies though no answer comes back? Else what was cut off in its middle may end without any effect. */
    default boolean swapsByOneMessage() {
        return true;
    }

    /** Cuts one client off, until it is healed. */
    default void cut(Coordinator client, Cut how) {
        throw new UnsupportedOperationException("this rig cannot cut a client off");
    }

    /** Heals what was cut. */
    default void heal(Coordinator client) {
        throw new UnsupportedOperationException("this rig cannot cut a client off");
    }

    /** Does a wire lie between each client and the store, on which requests can be held back, and answers slowed? */
    default boolean isWired() {
        return false;
    }

    /** {@link #isWired}: that client's requests wait on the wire from now on, until it is {@link #letGo let go}. Nothing is lost, and answers arrive meanwhile. */
    default void hold(Coordinator client) {
        throw new UnsupportedOperationException("this rig has no wires");
    }

    /** {@link #isWired}: what was held goes on. */
    default void letGo(Coordinator client) {
        throw new UnsupportedOperationException("this rig has no wires");
    }

    /** {@link #isWired}: every answer to that client takes that much longer from now on, and no request does. */
    default void slowAnswers(Coordinator client, Duration by) {
        throw new UnsupportedOperationException("this rig has no wires");
    }

    /** {@link #isWired}: how many messages that client has sent so far. */
    default long requests(Coordinator client) {
        throw new UnsupportedOperationException("this rig has no wires");
    }

    /** {@link #isWired}: how many connections that client has now. */
    default int connections(Coordinator client) {
        throw new UnsupportedOperationException("this rig has no wires");
    }

    /** {@link Ability#STEP_STORE_CLOCK}: negative is back. */
    default void stepStoreClock(Duration by) {
        throw new UnsupportedOperationException("this rig cannot step the store's clock");
    }

    /** {@link Ability#RESTORE}: remembers the store as it is. */
    default void backUp() {
        throw new UnsupportedOperationException("this rig cannot back its store up");
    }

    /** {@link Ability#RESTORE}: puts back what was remembered. Clients of before need not work any more. */
    default void restore() {
        throw new UnsupportedOperationException("this rig cannot restore its store");
    }

    /** {@link Ability#PLANT_UNREADABLE}. */
    default void plantUnreadable(ElectionName election) {
        throw new UnsupportedOperationException("this rig cannot plant an unreadable record");
    }

    /** {@link Ability#PLANT_FOREIGN}: puts a record, that of no election, under a name that none can have. */
    default void plantForeign(String name) {
        throw new UnsupportedOperationException("this rig cannot plant a foreign name");
    }

    /** {@link Ability#PLANT_CANDIDATE}: puts an entry of that text at the end of the candidates of what may be no election's name, on a live lease. */
    default void plantCandidate(String name, LeaseId lease, String text) {
        throw new UnsupportedOperationException("this rig cannot plant a candidate");
    }

    /** Ends the store, and the clients that are left. */
    @Override
    void close();
}
