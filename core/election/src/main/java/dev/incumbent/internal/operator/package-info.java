/**
 * What drives an operator's operations: one object for each, over a coordinator, sinks and a timeline. Imports the contracts and
 * {@code dev.incumbent.protocol.operator}.
 */
package dev.incumbent.internal.operator;
