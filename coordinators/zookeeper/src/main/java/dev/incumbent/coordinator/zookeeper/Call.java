package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.time.Timeline;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;

/** One call of the SPI: answered once, at its deadline at the latest. Belongs to the coordinator's thread, save its reply. */
final class Call<T> {
    private final CompletableFuture<T> reply = new CompletableFuture<>();
    private final Address address;
    private final boolean writes;
    private Optional<Connection> sentOver = Optional.empty();
    private Optional<Supplier<T>> partial = Optional.empty();
    private long sentAtNanos;

    Call(Address address, boolean writes) {
        this.address = address;
        this.writes = writes;
    }

    CompletableFuture<T> reply() {
        return reply;
    }

    boolean isDone() {
        return reply.isDone();
    }

    /** From here on nobody can tell whether it applied, until the store says so. */
    void sent(Connection over, long nowNanos) {
        sentOver = Optional.of(over);
        sentAtNanos = nowNanos;
    }

    /** The store said that what was sent did not apply. */
    void wasRefused() {
        sentOver = Optional.empty();
    }

    /** What it is answered with at its deadline, since some of the answer came. */
    void partial(Supplier<T> known) {
        partial = Optional.of(known);
    }

    void answer(T value) {
        reply.complete(value);
    }

    void fail(CoordinatorException why) {
        reply.completeExceptionally(why);
    }

    /** Ends it without an answer. */
    void giveUp(String why) {
        fail(new CoordinatorException(address + " " + why, writes && sentOver.isPresent()));
    }

    /** It came to its deadline. What was sent over a connection that has been silent since makes that one suspect. */
    void timeOut() {
        if (isDone()) {
            return;
        }
        if (partial.isPresent()) {
            answer(partial.get().get());
        } else if (sentOver.isPresent()) {
            giveUp("did not answer within the request timeout");
            sentOver.get().suspect(sentAtNanos);
        } else {
            giveUp("could not be reached within the request timeout: no connection");
        }
    }

    /** Ends it as the store answered, or did not. */
    void fail(Code code, String doing) {
        fail(Failures.of(address, code, doing, writes && sentOver.isPresent()));
    }

    /** Arms its deadline. */
    void boundBy(Timeline timeline, long deadlineNanos, Runnable onDeadline) {
        Timeline.Alarm alarm = timeline.at(deadlineNanos, onDeadline);
        var unused = reply.whenComplete((value, failure) -> alarm.cancel());
    }
}
