/** The owners of one election on this host, in line, as a machine without clock, thread or socket. Imports the vocabulary and steps of the protocol alone. */
package dev.incumbent.agent.owners;
