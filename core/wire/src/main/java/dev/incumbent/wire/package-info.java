/**
 * What our own clients of stores put on the wire, over the JDK alone: {@code Json}, as a store writes it, {@code Tls}, with the certificates of PEM files, {@code BoundedBody}, for answers over HTTP, and {@code HostAddresses}, for host names that have several addresses.
 */
package dev.incumbent.wire;
