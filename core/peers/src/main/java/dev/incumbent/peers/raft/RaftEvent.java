package dev.incumbent.peers.raft;

import dev.incumbent.peers.MemberId;
import java.util.Optional;

/** What has happened to a member of a Raft election. */
public sealed interface RaftEvent {
    /** Its process has started, and has read its disk; empty where nothing is there. */
    record Started(Optional<RaftDisk> disk) implements RaftEvent {}

    /** An operator says that the group begins now: no member of it has ever voted. Only a member with an empty disk heeds it. */
    record Founded(String group) implements RaftEvent {}

    /** A message has arrived. Messages may be lost, late, doubled, or out of order. */
    record Received(MemberId from, RaftMessage message) implements RaftEvent {}

    /** The time that the machine asked to be woken at has come, or anybody thought so. */
    record Woken() implements RaftEvent {}

    /** The leader shall hand over to that member. */
    record TransferAsked(MemberId successor) implements RaftEvent {}

    /** The task of that term has returned: nothing of it runs any more. */
    record TaskStopped(long term) implements RaftEvent {}

    /** A sink has refused the mark of that term, since it has a greater one, or the same from somebody else. */
    record MarkRefused(long term, long inForce) implements RaftEvent {}
}
