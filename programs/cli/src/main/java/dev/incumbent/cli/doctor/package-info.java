/** The verb {@code doctor}: each check is one class, and what it sees is a sentence. Imports {@code frame}, {@code reading} and floor 1. */
@NullMarked
package dev.incumbent.cli.doctor;

import org.jspecify.annotations.NullMarked;
