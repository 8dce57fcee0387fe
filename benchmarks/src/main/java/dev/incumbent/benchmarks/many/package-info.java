/** Ten thousand elections held by one process, beside jetcd's. Imports what it measures; nothing imports it. */
@NullMarked
package dev.incumbent.benchmarks.many;

import org.jspecify.annotations.NullMarked;
