/**
 * The vocabulary: records that are checked in their constructors, one word per idea.
 *
 * <p>Imports {@code java.util} and {@code java.time} only. An {@link java.time.Instant} here is for people; nothing is
 * decided by one.
 */
package dev.incumbent.model;
