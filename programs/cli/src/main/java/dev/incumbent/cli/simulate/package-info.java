/** The verbs of the simulated worlds, in the group {@code simulate}. Imports {@code frame} and the simulation. */
@NullMarked
package dev.incumbent.cli.simulate;

import org.jspecify.annotations.NullMarked;
