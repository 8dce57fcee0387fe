/** Floor 2: the reference sink, in memory; contract, simulator and unit tests stand on it. */
module dev.incumbent.fence.memory {
    requires transitive dev.incumbent.fence;
    requires transitive dev.incumbent.coordinator;

    exports dev.incumbent.fence.memory;
}
