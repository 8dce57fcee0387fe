/**
 * The command line: the program's entry and the table of its verbs. Imports its own sub-packages; a verb never imports this.
 *
 * <p>Verbs live in packages beside each other ({@code reading}, {@code sinks}, {@code operator}, {@code run}) and stand on {@code frame}.
 */
@NullMarked
package dev.incumbent.cli;

import org.jspecify.annotations.NullMarked;
