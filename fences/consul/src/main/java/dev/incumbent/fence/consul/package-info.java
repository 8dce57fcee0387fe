/**
 * A fence in Consul's keys: whoever writes keys of their own beside it writes them in one transaction with the admission.
 *
 * <p>{@code ConsulFence} is for those who write, {@code ConsulSink} for those who raise; both decide over {@code Marks}, which asks through {@code ConsulKeys}. Imports
 * the fence's contract, the vocabulary, {@code dev.incumbent.consul} and {@code dev.incumbent.calls} alone.
 */
@NullMarked
package dev.incumbent.fence.consul;

import org.jspecify.annotations.NullMarked;
