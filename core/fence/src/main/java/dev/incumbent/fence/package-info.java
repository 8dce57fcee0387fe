/** The sink's side of fencing: admission beside the write, and what a new leader raises. Imports {@code dev.incumbent.model} and the JDK. */
package dev.incumbent.fence;
