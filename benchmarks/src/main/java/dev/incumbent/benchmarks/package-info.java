/** Measurements by JMH, each printed against its budget; none is a test. Imports any floor. */
@NullMarked
package dev.incumbent.benchmarks;

import org.jspecify.annotations.NullMarked;
