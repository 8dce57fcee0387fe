/** Floor 1: JSON, TLS and URIs, for clients of stores. Needs the JDK alone. */
module dev.incumbent.wire {
    exports dev.incumbent.wire;
}
