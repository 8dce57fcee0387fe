package dev.incumbent.fence.dynamodb;

import dev.incumbent.fence.SinkException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

/** Items by their keys, read consistently, a hundred a request, which is the most that DynamoDB takes. What it leaves for later, being throttled, is asked for again. */
record BatchRead(DynamoDbClient client, String table) {
    private static final int MOST = 100;
    private static final int MOST_THROTTLED = 20;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** The items that are there, by their keys: all of them, or a {@link SinkException}. Blocks. */
    Map<Map<String, AttributeValue>, Map<String, AttributeValue>> items(List<Map<String, AttributeValue>> keys) {
        Map<Map<String, AttributeValue>, Map<String, AttributeValue>> found = new HashMap<>();
        List<Map<String, AttributeValue>> left = new ArrayList<>(keys);
        int throttled = 0;
        while (!left.isEmpty()) {
            List<Map<String, AttributeValue>> some = List.copyOf(left.subList(0, Math.min(MOST, left.size())));
            left.subList(0, some.size()).clear();
            BatchGetItemResponse answer = client.batchGetItem(get -> get.requestItems(Map.of(
                    table,
                    KeysAndAttributes.builder().keys(some).consistentRead(true).build())));
            answer.responses().getOrDefault(table, List.of()).forEach(item -> found.put(key(item), item));
            KeysAndAttributes unprocessed = answer.unprocessedKeys().get(table);
            if (unprocessed != null && unprocessed.hasKeys()) {
                pause(++throttled);
                left.addAll(unprocessed.keys());
            }
        }
        return found;
    }

    private void pause(int throttled) {
        if (throttled > MOST_THROTTLED || Thread.currentThread().isInterrupted()) {
            throw new SinkException("DynamoDB throttles the reading of " + table);
        }
        LockSupport.parkNanos(PAUSE_NANOS * throttled);
    }

    private static Map<String, AttributeValue> key(Map<String, AttributeValue> item) {
        Map<String, AttributeValue> key = new HashMap<>(item);
        key.keySet().retainAll(List.of(MarkItems.PARTITION, MarkItems.SORT));
        return key;
    }
}
