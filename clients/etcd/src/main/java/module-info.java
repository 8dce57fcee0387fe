/** Floor 2: a client of etcd's JSON gateway, for the coordinator and the fence in etcd. */
module dev.incumbent.etcd {
    requires dev.incumbent.calls;
    requires transitive dev.incumbent.wire;

    exports dev.incumbent.etcd;
}
