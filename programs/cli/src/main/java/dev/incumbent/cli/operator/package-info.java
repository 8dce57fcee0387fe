/** The verbs that change who leads: transfer, resign, drain, cordon, freeze, thaw, and forgetting a sink. Imports {@code frame} and the library. */
@NullMarked
package dev.incumbent.cli.operator;

import org.jspecify.annotations.NullMarked;
