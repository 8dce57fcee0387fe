/** What the elections among peers share: who the members are, and what bully and ring are told and want done. Imports {@code Step} of {@code dev.incumbent.protocol} alone. */
package dev.incumbent.peers;
