package dev.incumbent.examples.sinks;

import dev.incumbent.Leadership;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.dynamodb.DynamoDbFence;
import dev.incumbent.fence.dynamodb.DynamoDbTransaction;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes items of DynamoDB behind the fence. */
public final class DynamoDbLedger {
    private DynamoDbLedger() {}

    /** Writes an item, for as long as this process leads. */
    public static void put(ElectionName election, Leadership leadership, Map<String, AttributeValue> item)
            throws FenceException {
        try (DynamoDbFence fence = DynamoDbFence.at("dynamodb://app?region=eu-west-1", Duration.ofSeconds(2))) {
            DynamoDbTransaction transaction = fence.begin();
            transaction.admit(election, leadership.token());
            transaction.put("ledger", item);
            transaction.commit(); // StaleTokenException: stop at once
        }
    }
}
