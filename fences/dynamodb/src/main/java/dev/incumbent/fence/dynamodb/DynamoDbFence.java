package dev.incumbent.fence.dynamodb;

import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * The fence in front of items of DynamoDB.
 *
 * <p>Writes go through {@link #begin()}. Who has transactions of his own adds {@link #check} to each: then the whole is refused unless the token is in force.
 * Thread-safe.
 */
public final class DynamoDbFence implements AutoCloseable {
    private final Opened opened;

    private DynamoDbFence(Opened opened) {
        this.opened = opened;
    }

    /** The fence of the sink at this URL; every commit ends within {@code bound}. Connects with the first commit. */
    public static DynamoDbFence at(String url, Duration bound) {
        return new DynamoDbFence(Opened.of(url, bound));
    }

    /** A transaction, on which nobody waits and which holds nothing until it is committed. */
    public DynamoDbTransaction begin() {
        return new DynamoDbTransaction(opened);
    }

    /** The part of a transaction that asks whether that token is in force, in the sink in that table. */
    public static TransactWriteItem check(String table, ElectionName election, FencingToken token) {
        return TransactWriteItem.builder()
                .conditionCheck(check -> check.tableName(table)
                        .key(MarkItems.mark(election))
                        .conditionExpression("#t = :t")
                        .expressionAttributeNames(Map.of("#t", MarkItems.TOKEN))
                        .expressionAttributeValues(Map.of(":t", MarkItems.number(token)))
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD))
                .build();
    }

    /** Ends its connection; commits under way may have applied. Never fails, may be called twice. */
    @Override
    public void close() {
        opened.close();
    }
}
