/** Where a table of DynamoDB is: {@code DynamoDbUri}, read by the coordinator and the fence alike. */
package dev.incumbent.dynamodb;
