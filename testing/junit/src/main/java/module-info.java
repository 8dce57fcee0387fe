/** Floor 4: a user's own task and fence in a virtual world, as JUnit tests. */
module dev.incumbent.junit {
    requires transitive dev.incumbent;
    requires transitive org.junit.jupiter.api;
    requires dev.incumbent.coordinator.memory;
    requires dev.incumbent.fence.memory;
    requires dev.incumbent.simulation;

    exports dev.incumbent.junit;
}
