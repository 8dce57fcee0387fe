/** Floor 0: JSON, TLS, URIs and bounded HTTP answers, for clients of stores. Needs the JDK alone: Jackson's streaming core lies in its jar, in a package of its own. */
module dev.incumbent.wire {
    // Found by the compiler and by tests; in the jar its classes are this module's.
    requires static com.fasterxml.jackson.core;
    // For BoundedBody and EveryAddressClient: whoever uses them has an HTTP client, so requires the module itself.
    requires static transitive java.net.http;

    exports dev.incumbent.wire;
}
