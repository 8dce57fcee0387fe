/** The same write with a fence and without one, on each sink. Imports what it measures; nothing imports it. */
@NullMarked
package dev.incumbent.benchmarks.fenced;

import org.jspecify.annotations.NullMarked;
