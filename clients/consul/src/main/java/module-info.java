/** Floor 2: a client of Consul's HTTP interface, for the coordinator and the fence in Consul. */
module dev.incumbent.consul {
    requires dev.incumbent.protocol;
    requires transitive dev.incumbent.calls;
    requires transitive dev.incumbent.wire;
    requires java.net.http;

    exports dev.incumbent.consul;
}
