/** Floor 1: calls to a store, each with one end, and the threads that serve them. Needs the JDK alone. */
module dev.incumbent.calls {
    exports dev.incumbent.calls;
}
