package dev.incumbent.internal;

import dev.incumbent.model.Term;
import dev.incumbent.protocol.Tenure;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * How far the end of one process's elections is. The session is revoked once nothing is left in any election; or, once the time for that is up, as soon as no task
 * runs that nothing fences, and no fence agent works: until then its lease may only lapse. Owned by the loop's thread, but for the stages.
 */
final class Closing {
    /** The terms whose tasks still ran when the time was up; none where all have returned before. */
    private final CompletableFuture<Set<Term>> told = new CompletableFuture<>();

    private final AtomicBoolean concluded = new AtomicBoolean();
    private boolean asked;
    private boolean timeIsUp;
    private boolean revoking;

    CompletableFuture<Set<Term>> told() {
        return told;
    }

    /** The first time it says yes. */
    boolean begin() {
        boolean first = !asked;
        asked = true;
        return first;
    }

    /** Says yes once; any thread. */
    boolean concludes() {
        return concluded.compareAndSet(false, true);
    }

    boolean hasBegun() {
        return asked;
    }

    /** The time for leaving in order is up: whoever waits hears who is left. */
    void timeIsUp(Collection<ElectionDriver> left) {
        timeIsUp = true;
        Set<Term> running = running(left);
        if (!running.isEmpty()) {
            told.complete(running);
        }
    }

    /** May the session be revoked now? Says yes once. */
    boolean revokes(BooleanSupplier allLeft, Collection<ElectionDriver> left) {
        boolean may = asked
                && !revoking
                && (allLeft.getAsBoolean() || (timeIsUp && left.stream().noneMatch(Closing::needsTheLease)));
        revoking |= may;
        return may;
    }

    /** A task runs that nothing fences, or a fence agent works: whoever comes next must not meet either. */
    private static boolean needsTheLease(ElectionDriver driver) {
        boolean works = driver.state()
                .tenure()
                .filter(t -> !t.holding().asked().isEmpty())
                .isPresent();
        return works || (!driver.isFenced() && runs(driver));
    }

    private static boolean runs(ElectionDriver driver) {
        return driver.state().tenure().filter(t -> t.task().runs()).isPresent();
    }

    static Set<Term> running(Collection<ElectionDriver> drivers) {
        Set<Term> running = new TreeSet<>((a, b) -> a.election().compareTo(b.election()));
        drivers.stream()
                .filter(Closing::runs)
                .flatMap(driver -> driver.state().tenure().map(Tenure::term).stream())
                .forEach(running::add);
        return running;
    }
}
