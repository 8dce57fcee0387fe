package dev.incumbent.fence.tck;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** One fresh, installed sink of a provider's and all that happens around it; owns its wires and its time. Everything a rig handed out ends when it is closed. */
public interface FenceRig extends AutoCloseable {
    Set<Capability> capabilities();

    /** Opens the sink once more, as another process would. */
    Sink open(Duration bound);

    /** Installs the sink once more, where it is installed. */
    void install();

    /** Begins a transaction on a connection of its own. */
    Writer begin();

    /** Admits where there is no transaction. */
    void admitOutsideATransaction(ElectionName election, FencingToken token) throws FenceException;

    /** The lines that were committed, in their order. */
    List<String> written();

    /** Whatever is open is cut off, and the sink comes back with what it had made durable. */
    void restart();

    /** Takes a backup, which {@link Runnable#run()} puts in the sink's place. Only where {@link Capability#PUT_BACK} is declared. */
    Runnable backUp();

    /** Puts something that is no mark in the place of a mark that was raised. Only where {@link Capability#PLANTED_MARKS} is declared. */
    default void plantUnreadable(ElectionName election) {
        throw new UnsupportedOperationException("this rig plants nothing");
    }

    /** Puts a readable mark under a name that no election can have. Only where {@link Capability#PLANTED_MARKS} is declared. */
    default void plantForeign(String name) {
        throw new UnsupportedOperationException("this rig plants nothing");
    }

    /** Moves a virtual clock; does nothing where time is real. */
    void pass(Duration time);

    /** How long, by the wall clock, an answer may take at most before it counts as none. */
    Duration patience();

    @Override
    void close();
}
