/** The protocols that the lab compares, each on the members of one world. Imports {@code world}, the machines of peers, and the shipped library. */
package dev.incumbent.lab.contender;
