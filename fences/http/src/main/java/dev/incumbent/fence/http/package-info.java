/**
 * A fence in front of an HTTP service: each request that changes something bears {@code Fencing-Token: ELECTION=TOKEN}, and is handled only while that token is in force.
 *
 * <p>{@code HttpFence} decides, for a filter of the JDK's server and for a servlet filter alike, over marks that any other {@link dev.incumbent.fence.Sink} keeps;
 * {@code FencedRequest} is for clients, {@code HttpSink} for leaders. Imports the fence's contract, the vocabulary, the JDK, and the servlet interface alone.
 */
@NullMarked
package dev.incumbent.fence.http;

import org.jspecify.annotations.NullMarked;
