/**
 * The reference sink: marks, transactions and what was written, in memory. Imports {@code dev.incumbent.fence}, {@code dev.incumbent.time},
 * {@code dev.incumbent.model} and the JDK.
 */
package dev.incumbent.fence.memory;
