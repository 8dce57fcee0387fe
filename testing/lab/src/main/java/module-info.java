/** Floor 4: protocols of leader election side by side, in one simulated world and under the same faults. */
module dev.incumbent.lab {
    requires transitive dev.incumbent.peers;
    requires dev.incumbent;
    requires dev.incumbent.coordinator.memory;
    requires dev.incumbent.simulation;

    exports dev.incumbent.lab;
}
