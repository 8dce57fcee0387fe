/** The election on a ring, in two forms. Imports {@code dev.incumbent.peers}, {@code Moment} and {@code Step} alone. */
package dev.incumbent.peers.ring;
