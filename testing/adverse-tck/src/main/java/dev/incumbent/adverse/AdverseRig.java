package dev.incumbent.adverse;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import java.time.Duration;
import java.util.Set;

/**
 * A real server of its own, and wires to it, for one test of {@link AdverseContract}. Its {@link #lease()} is at least the store's floor, and its
 * {@link #requestTimeout()} at most a quarter of that. Time is real.
 */
public interface AdverseRig extends CoordinatorRig {
    /** What can befall the server. */
    enum ServerFault {
        /** It stops where it stands, connections and all (SIGSTOP), and goes on later. */
        FROZEN,
        /** It is killed, and started again on its data. */
        KILLED,
        /** It has no room for what is written, and then has it again. */
        FULL
    }

    /** Which of them this rig can do. */
    Set<ServerFault> serverFaults();

    /** Lets one befall the server; returns at once. */
    void befall(ServerFault fault);

    /** Ends it: the server goes on, is started again, has room. Returns when it answers. */
    void recover(ServerFault fault);

    /** Resets that client's connections; it may connect again at once. */
    void reset(Coordinator client);

    /** The next answer to that client is lost, with its connection. */
    void loseNextAnswer(Coordinator client);

    /** All that client sends and hears takes that much longer, each way. */
    void slow(Coordinator client, Duration by);
}
