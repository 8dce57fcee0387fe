package dev.incumbent.beats;

import dev.incumbent.model.CandidateId;
import java.util.function.Consumer;

/**
 * Connections between the processes of some elections, beside the coordinator. Every connection that it tells of has had a handshake that shows who is at the other end, and is told of as ended once.
 *
 * <p>One thread of its own reads them, and runs what it is given. {@link #execute} and {@link #close} may be called on any thread, the other methods on that thread alone. No call tells an event before it
 * returns. Time is in nanoseconds of {@link #nanos}. What fails is told as {@link BeatEvent.Disconnected} or {@link BeatEvent.Unreached}, never thrown.
 */
public interface BeatTransport extends AutoCloseable {
    /** Where others reach this process, as {@code host:port}. */
    String address();

    /** How often this process beats, and after which silence it misses others. */
    default Rhythm rhythm() {
        return Rhythm.DEFAULT;
    }

    /** A monotonic clock, by which it wakes. */
    long nanos();

    /** From now on that hears what happens. Called once, before anything else. */
    void begin(Consumer<BeatEvent> hears);

    /** Runs it soon, in order; what is given after {@link #close()} never. */
    void execute(Runnable task);

    /** Tells {@link BeatEvent.Woken} at that time, once what had arrived before is read. A later call takes the place of this one. */
    void wakeAt(long nanos);

    void dial(Peer peer);

    /** To a connection that has ended it sends nothing. */
    void send(long connection, Message message);

    /** Ends a connection once what was sent on it has left. */
    void drop(long connection);

    /** Ends all connections once what was sent on them has left, within a second. */
    @Override
    void close();

    /** Opens the connections of a process. */
    interface Source {
        BeatTransport open(CandidateId me);
    }
}
