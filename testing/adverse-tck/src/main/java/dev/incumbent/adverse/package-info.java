/**
 * Candidacies of the shipped library on a store in trouble: {@link dev.incumbent.adverse.AdverseContract} cuts their wires and stops, kills and starts their
 * server, and asks that nobody ever says "I lead" wrongly and that somebody leads again, in the same processes, once the trouble is over.
 */
@NullMarked
package dev.incumbent.adverse;

import org.jspecify.annotations.NullMarked;
