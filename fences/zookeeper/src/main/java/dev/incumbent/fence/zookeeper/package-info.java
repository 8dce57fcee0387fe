/**
 * A fence in ZooKeeper: whoever writes nodes of their own writes them in one transaction with the admission.
 *
 * <p>{@code ZooKeeperFence} is for those who write, over a client of their own; {@code ZooKeeperSink} for those who raise. Both decide over {@code Marks}. Imports the
 * fence's contract, the vocabulary, and ZooKeeper's client alone.
 */
@NullMarked
package dev.incumbent.fence.zookeeper;

import org.jspecify.annotations.NullMarked;
