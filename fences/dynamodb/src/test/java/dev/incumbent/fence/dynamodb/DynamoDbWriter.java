package dev.incumbent.fence.dynamodb;

import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.tck.Writer;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** One transaction that writes lines, each an item of its own. */
final class DynamoDbWriter implements Writer {
    static final String LINES = "ledger";

    /** Lines are read in the order of their keys. */
    private static final AtomicLong COUNT = new AtomicLong();

    private final DynamoDbTransaction transaction;
    private final String table;
    private volatile boolean rolledBack;

    DynamoDbWriter(DynamoDbTransaction transaction, String table) {
        this.transaction = transaction;
        this.table = table;
    }

    @Override
    public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
        transaction.admit(election, token);
    }

    @Override
    public void read() {
        throw new UnsupportedOperationException("a transaction of DynamoDB has no snapshot");
    }

    @Override
    public void admitText(ElectionName election, String token) {
        throw new UnsupportedOperationException("tokens are typed here");
    }

    @Override
    public void write(String line) {
        Map<String, AttributeValue> item =
                new HashMap<>(MarkItems.key(LINES, String.format(Locale.ROOT, "%019d", COUNT.incrementAndGet())));
        item.put("line", AttributeValue.fromS(line));
        transaction.put(table, item);
    }

    @Override
    public void commit() throws FenceException {
        if (rolledBack) {
            throw new IllegalStateException("it was rolled back");
        }
        transaction.commit();
    }

    @Override
    public void rollBack() {
        rolledBack = true;
    }
}
