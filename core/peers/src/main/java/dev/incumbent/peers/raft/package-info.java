/** The election of Raft, with a lease of the leader. Imports {@code dev.incumbent.peers}, {@code dev.incumbent.model.Sorted}, {@code Moment} and {@code Step} alone. */
package dev.incumbent.peers.raft;
