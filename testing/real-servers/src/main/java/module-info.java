/** Starts real servers on loopback, and the wires to them that misbehave. For tests and benchmarks. */
module dev.incumbent.servers {
    requires transitive dev.incumbent.coordinator;
    requires java.net.http;

    exports dev.incumbent.servers;
}
