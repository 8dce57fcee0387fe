package dev.incumbent.coordinator.peers;

import dev.incumbent.model.Candidate;
import dev.incumbent.peers.MemberId;
import java.time.Duration;

/** The connections of one member with the others. Messages may be lost, late and out of order after a connection was lost. Thread-safe; no call but {@link #close} blocks. */
interface PeerTransport extends AutoCloseable {
    /** Begins to listen and to connect; what is received is told from then on. Throws where it cannot listen. */
    void open(Receiver receiver);

    /** Sends a message once; drops it where the member is not connected. */
    void send(MemberId to, byte[] message);

    /** Waits for at most that long until what was sent has left this process. */
    void flush(Duration atMost);

    @Override
    void close();

    /** Hears what happens on the connections, on any thread, and returns at once. */
    interface Receiver {
        /** A connection with that member stands; this is what it tells of itself. */
        void connected(MemberId member, Candidate candidate);

        void received(MemberId from, byte[] message);

        /** Somebody who is no member asks. */
        PeerStanding asked(PeerQuestion question);

        /** A connection with that member, or with somebody unknown, was refused or cannot be had, for the reason given. */
        void trouble(String what);
    }
}
