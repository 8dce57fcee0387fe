/** Floor 2: the library. */
module dev.incumbent {
    requires transitive dev.incumbent.beats;
    requires transitive dev.incumbent.coordinator;
    requires transitive dev.incumbent.fence;

    exports dev.incumbent;
    exports dev.incumbent.internal to
            dev.incumbent.junit,
            dev.incumbent.lab,
            dev.incumbent.simulation,
            incumbent.coordinator.peers;
}
