/** Floor 1: elections among the candidates themselves, without a coordinator: bully, ring and Raft's. Pure: no clock, thread, dice, disk or socket. */
module dev.incumbent.peers {
    requires transitive dev.incumbent.protocol;

    exports dev.incumbent.peers;
    exports dev.incumbent.peers.bully;
    exports dev.incumbent.peers.raft;
    exports dev.incumbent.peers.ring;
}
