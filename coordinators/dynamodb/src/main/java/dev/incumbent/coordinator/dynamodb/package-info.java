/**
 * A coordinator on a table of DynamoDB.
 *
 * <p>From the outside in: {@code DynamoDbCoordinator} turns each call of the SPI into a {@code TableCall} on one of three {@code TableLane}s of threads, since the SDK's
 * client blocks; {@code Records}, {@code Sessions} and {@code Candidates} know the requests that a call takes, a class a kind of item; {@code Table} sends them, each at
 * most once. {@code Poller} looks at what is watched, and {@code Vigil} counts how long a session has been silent, since DynamoDB does not.
 *
 * <p>Imports the coordinator SPI, the vocabulary, {@code dev.incumbent.calls}, and AWS's SDK alone.
 */
@NullMarked
package dev.incumbent.coordinator.dynamodb;

import org.jspecify.annotations.NullMarked;
