/** Floor 1: JSON and TLS, for clients of stores that are no library's. Needs the JDK alone. */
module dev.incumbent.wire {
    exports dev.incumbent.wire;
}
