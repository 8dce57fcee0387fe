/**
 * What operators do to an election: transfer, resign, freeze, thaw, cordon, and retire a sink; the record swapped by someone who does not stand.
 *
 * <p>{@link dev.incumbent.protocol.operator.OperatorProtocol} is the machine; one {@link dev.incumbent.protocol.operator.OperatorState} is one
 * operation under way. Imports {@code dev.incumbent.model}, {@code dev.incumbent.outcome}, {@code dev.incumbent.protocol} and {@code java.util}.
 */
package dev.incumbent.protocol.operator;
