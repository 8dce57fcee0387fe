/** Floor 2: a client of etcd's JSON gateway, for the coordinator and the fence in etcd. Needs the JDK alone. */
module dev.incumbent.etcd {
    exports dev.incumbent.etcd;
}
