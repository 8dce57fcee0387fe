package dev.incumbent.coordinator.peers;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.raft.RaftDisk;

/** What a member's machine wants done, called in order; each is done when it returns. None calls the machine. */
interface MemberActions {
    /** Makes this durable. Throws where it cannot: then nothing that follows is done, and the machine is told nothing any more. */
    void persist(RaftDisk disk);

    /** The time that has surely passed, from any origin, whatever clocks were set meanwhile: promises are counted by it. */
    long passedNanos();

    void send(MemberId to, byte[] message);

    /** This member leads that term: sinks are raised, then the task begins. */
    void begin(long term);

    /** The task of that term stops; the machine is told when it has. */
    void stop(long term);
}
