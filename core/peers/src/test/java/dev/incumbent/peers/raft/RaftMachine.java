package dev.incumbent.peers.raft;

import dev.incumbent.protocol.Moment;
import dev.incumbent.protocol.Step;

/** The machine of one member: the shipped one, or one with a bug on purpose. */
interface RaftMachine {
    Step<RaftState, RaftEffect> step(RaftState state, RaftEvent event, Moment now, long passed, long dice);
}
