/**
 * What users build: begin with {@code FirstElectionTest}. Imports any floor; every snippet of the README and of the library's Javadoc is here, compiled and
 * asserted.
 */
@NullMarked
package dev.incumbent.examples;

import org.jspecify.annotations.NullMarked;
