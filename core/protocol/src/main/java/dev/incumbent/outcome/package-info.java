/**
 * How an operator's request ended, how far it is, and what it left open: what {@code ElectionAdmin} answers.
 *
 * <p>Plain values. Imports {@code dev.incumbent.model} and {@code java.util}.
 */
package dev.incumbent.outcome;
