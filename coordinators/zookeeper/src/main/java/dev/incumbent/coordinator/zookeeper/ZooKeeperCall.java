package dev.incumbent.coordinator.zookeeper;

import dev.incumbent.calls.Call;
import dev.incumbent.calls.Deadlines;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.zookeeper.ZooKeeperUri;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.zookeeper.KeeperException.Code;

/** One call of the SPI. Belongs to the coordinator's thread; any thread may end it. */
final class ZooKeeperCall<T> extends Call<T> {
    private final ZooKeeperUri address;
    private Optional<Connection> sentOver = Optional.empty();
    private Optional<Supplier<T>> partial = Optional.empty();
    private long sentAtNanos;

    ZooKeeperCall(ZooKeeperUri address, boolean writes, long deadlineNanos) {
        super(writes, deadlineNanos);
        this.address = address;
    }

    /** To be asked right before it is sent, or sent again: from here on it may have applied. False if it is over: then it must not be. */
    boolean send(Connection over, long nowNanos) {
        send();
        sentOver = Optional.of(over);
        sentAtNanos = nowNanos;
        return !isOver();
    }

    /** The store said that what was sent did not apply. */
    void wasRefused() {
        takeBack();
        sentOver = Optional.empty();
    }

    /** What it is answered with at its deadline, since some of the answer came. */
    void partial(Supplier<T> known) {
        partial = Optional.of(known);
    }

    /** Ends it without an answer. */
    boolean giveUp(String why) {
        return fail(why, (it, mayHaveApplied) -> new CoordinatorException(address + " " + it, mayHaveApplied));
    }

    /** Ends it as the store answered, or did not. */
    void fail(Code code, String doing) {
        fail(doing, (it, mayHaveApplied) -> Failures.of(address, code, it, mayHaveApplied));
    }

    /** Lets it come to its deadline, on the coordinator's thread. */
    void limitBy(Deadlines deadlines, Runnable afterwards) {
        limit(deadlines, () -> {
            timeOut();
            afterwards.run();
        });
    }

    /** What was sent over a connection that has been silent since makes that one suspect. */
    private void timeOut() {
        if (partial.isPresent()) {
            answer(partial.get());
        } else if (sentOver.isEmpty()) {
            giveUp("could not be reached in time: no connection");
        } else if (giveUp("did not answer in time")) {
            sentOver.get().suspect(sentAtNanos);
        }
    }
}
