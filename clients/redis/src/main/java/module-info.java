/** Floor 2: the address of a database of Redis, for the coordinator and the fence there. */
module dev.incumbent.redis {
    requires dev.incumbent.wire;

    exports dev.incumbent.redis;
}
