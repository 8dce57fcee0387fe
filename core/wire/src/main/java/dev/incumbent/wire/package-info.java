/**
 * What our own clients of stores put on the wire, over the JDK alone: {@code Json}, as a store writes it, {@code Tls}, with the certificates of PEM files, and {@code BoundedBody}, for answers over HTTP.
 */
package dev.incumbent.wire;
