/** A fenced write at each sink, as its page shows it. The mark was raised by the candidacy that guards the sink: see {@link dev.incumbent.examples.FirstProgram}. */
@NullMarked
package dev.incumbent.examples.sinks;

import org.jspecify.annotations.NullMarked;
