/** Floor 3: the shipped election code in seeded worlds of faults. */
module dev.incumbent.simulation {
    requires transitive dev.incumbent.coordinator.memory;
    requires transitive dev.incumbent.fence;
    requires dev.incumbent;
    requires dev.incumbent.wire;

    exports dev.incumbent.simulation;
}
