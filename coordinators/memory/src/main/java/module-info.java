/** Floor 2: the reference coordinator, in memory. */
module dev.incumbent.coordinator.memory {
    requires transitive dev.incumbent.coordinator;

    exports dev.incumbent.coordinator.memory;
}
