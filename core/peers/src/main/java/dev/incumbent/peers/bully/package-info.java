/** The bully election. Imports {@code dev.incumbent.peers}, {@code Moment} and {@code Step} alone. */
package dev.incumbent.peers.bully;
