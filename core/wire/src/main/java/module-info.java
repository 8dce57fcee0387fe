/** Floor 0: JSON, TLS and URIs, for clients of stores. Needs the JDK alone: Jackson's streaming core lies in its jar, in a package of its own. */
module dev.incumbent.wire {
    // Found by the compiler and by tests; in the jar its classes are this module's.
    requires static com.fasterxml.jackson.core;

    exports dev.incumbent.wire;
}
