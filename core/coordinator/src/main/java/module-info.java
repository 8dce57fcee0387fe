/** Floor 1: what an adapter to a coordinator implements, and time as the library reads and waits for it. */
module dev.incumbent.coordinator {
    requires transitive dev.incumbent.protocol;
    requires dev.incumbent.wire;

    exports dev.incumbent.coordinator;
    exports dev.incumbent.time;

    uses dev.incumbent.coordinator.CoordinatorProvider;
}
