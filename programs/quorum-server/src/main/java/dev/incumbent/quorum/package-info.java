/**
 * One node of the quorum: the lease table as a replicated state machine on Apache Ratis, and the small HTTP endpoint by which clients and the other
 * nodes speak to it.
 *
 * <p>From the inside out: {@code LeaseTable} is the state, changed by lines of the log alone; {@code TableMachine} is its shape for Ratis, with
 * snapshots; {@code Replica} runs the Raft server; {@code Calls} and {@code Watches} answer clients; {@code QuorumNode} is all of it. {@code ReplicationWatch} finds
 * out that Ratis takes no part any more; {@code LeadershipTransfer} moves the leadership of the nodes.
 *
 * <p>An {@code Entry} names the level of the format that it is written in; {@code Ascent} decides when the level may rise, {@code Ascending} does it while this node leads, and {@code Levels} is
 * what the nodes tell each other for that.
 *
 * <p>{@code Endpoint} listens; a {@code Conversation} is one connection; {@code Reception} is what they share; {@code Visitors} says who is closed where there are too many, and {@code RaftDoor} asks it
 * for the Raft port, where {@code Addressee} refuses what was sent to another disk; {@code Bounds} names every bound.
 *
 * <p>Imports the client's wire format, time, Ratis, and the Netty that Ratis brings.
 */
@NullMarked
package dev.incumbent.quorum;

import org.jspecify.annotations.NullMarked;
