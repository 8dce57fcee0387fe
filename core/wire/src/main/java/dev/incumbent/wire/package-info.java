/**
 * What our own clients of stores put on the wire, over the JDK alone: {@code Json}, as a store writes it, and {@code Tls}, with the certificates of PEM files.
 */
package dev.incumbent.wire;
