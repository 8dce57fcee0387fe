/**
 * The fence in etcd: a mark is a key, and a fenced write is a transaction that compares it. Nothing is held between admission and commit, since both are one
 * step at the server.
 *
 * <p>Imports the fence's contract, the vocabulary, and the client of etcd's gateway alone.
 */
@NullMarked
package dev.incumbent.fence.etcd;

import org.jspecify.annotations.NullMarked;
