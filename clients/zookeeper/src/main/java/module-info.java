/** Floor 2: the address of a node in ZooKeeper, for the coordinator and the fence there. */
module dev.incumbent.zookeeper {
    requires dev.incumbent.wire;

    exports dev.incumbent.zookeeper;
}
