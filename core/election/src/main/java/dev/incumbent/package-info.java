/**
 * The public API: stand in elections, lead under a guard, operate them.
 *
 * <p>Imports floors 0 and 1 and the JDK. Begin at {@link dev.incumbent.Elections}.
 */
package dev.incumbent;
