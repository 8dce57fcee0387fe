/**
 * The fence in DynamoDB: a mark is an item, and a fenced write is a transaction that checks it. Nothing is held between admission and commit, since both are one step
 * at the server.
 *
 * <p>Imports the fence's contract, the vocabulary, and AWS's SDK alone.
 */
@NullMarked
package dev.incumbent.fence.dynamodb;

import org.jspecify.annotations.NullMarked;
