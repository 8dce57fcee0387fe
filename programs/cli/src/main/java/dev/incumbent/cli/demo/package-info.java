/**
 * The verb {@code demo}: three real processes, one office, one ledger, and what a fence is for. Imports {@code frame}, the election library and the JDBC fence.
 */
@NullMarked
package dev.incumbent.cli.demo;

import org.jspecify.annotations.NullMarked;
