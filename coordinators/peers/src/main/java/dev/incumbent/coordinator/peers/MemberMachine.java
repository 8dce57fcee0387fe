package dev.incumbent.coordinator.peers;

import dev.incumbent.peers.MemberId;
import dev.incumbent.peers.raft.RaftDisk;
import dev.incumbent.protocol.Moment;
import java.util.Optional;

/** The machine of one protocol as its driver sees it: it is told what happens, and calls {@link MemberActions} in turn. Keeps the newest state. Used by one thread; moments never go back. */
interface MemberMachine {
    /** Its process has started, with what was on its disk. */
    void started(Optional<RaftDisk> disk, Moment now);

    void received(MemberId from, byte[] message, Moment now) throws MessageException;

    void woken(Moment now);

    /** The leader shall hand over to that member. Nothing happens where the protocol knows no transfer, or this member does not lead. */
    void transferAsked(MemberId successor, Moment now);

    /** Nothing of the task of that term runs any more. */
    void stopped(long term, Moment now);

    /** A sink has refused that term, because of that mark. */
    void refused(long term, long inForce, Moment now);

    /** While a member is not able it takes no part where it could be elected; it still votes. */
    void setAble(boolean isAble, Moment now);

    /** When to wake it, on the clock of the moments. */
    long wakeAtNanos();

    /** The term that this member leads, or whose task has not stopped. */
    Optional<MemberLead> lead();

    /** Who leads, as far as this member knows; itself while it leads. */
    Optional<MemberId> leader();

    /** The greatest term that is known; 0 where there is none. */
    long term();

    /** Does this member wait until all others have told their terms, since its disk was empty? */
    boolean isWiped();

    /** Has that member answered this leader within one lease? Never where the protocol knows no transfer. */
    boolean isHeard(MemberId member, Moment now);

    /** Who could take over: another member that is known to live; of several the one that was heard last. */
    Optional<MemberId> successor();

    /**
     * How long a term is valid.
     *
     * @param sentAtNanos just before the heartbeat was sent that this rests on
     * @param stopAtNanos when its task must begin to stop
     * @param validUntilNanos until when it may act
     */
    record MemberLead(long term, long sentAtNanos, long stopAtNanos, long validUntilNanos) {}
}
