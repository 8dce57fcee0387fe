package dev.incumbent.fence.dynamodb;

import dev.incumbent.fence.Fence;
import dev.incumbent.fence.FenceException;
import dev.incumbent.fence.MarkRule;
import dev.incumbent.fence.NoTransactionException;
import dev.incumbent.fence.NotAdmittedException;
import dev.incumbent.fence.SinkException;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Writes to DynamoDB that are done together, and only if every token admitted here is in force at that instant. Used by one thread; nothing is sent before
 * {@link #commit()}, which blocks. At most 100 items, admissions included.
 */
public final class DynamoDbTransaction implements Fence {
    private static final String REFUSED = "ConditionalCheckFailed";

    private final Opened opened;
    private final Map<ElectionName, FencingToken> admitted = new LinkedHashMap<>();
    private final List<TransactWriteItem> writes = new ArrayList<>();
    private boolean ended;

    DynamoDbTransaction(Opened opened) {
        this.opened = opened;
    }

    /** Binds the transaction to a token. Whether it is in force is judged by the commit, in one step with the writes. */
    @Override
    public void admit(ElectionName election, FencingToken token) throws NoTransactionException {
        if (ended) {
            throw new NoTransactionException("the transaction of token " + token + " of " + election + " has ended");
        }
        if (admitted.put(election, token) != null) {
            throw new NoTransactionException(election + " was admitted to this transaction before");
        }
    }

    /** Puts an item into any table of the same account and region. */
    public DynamoDbTransaction put(String table, Map<String, AttributeValue> item) {
        return write(TransactWriteItem.builder()
                .put(put -> put.tableName(table).item(item))
                .build());
    }

    /** Any write that a transaction takes, its own condition too. */
    public DynamoDbTransaction write(TransactWriteItem write) {
        writes.add(write);
        return this;
    }

    /**
     * Writes, if all tokens are in force.
     *
     * @throws dev.incumbent.fence.StaleTokenException a mark is above its token: its term is over, stop at once
     * @throws dev.incumbent.fence.NotRaisedException a mark is below its token, or absent
     * @throws NoTransactionException nothing was admitted, or it has ended before
     * @throws NotAdmittedException surely nothing was written: another transaction was at the same items, or a condition of a write's own refused
     * @throws SinkException DynamoDB did not answer, and may have written
     */
    public void commit() throws FenceException {
        if (ended || admitted.isEmpty()) {
            throw new NoTransactionException(
                    ended ? "the transaction has ended" : "no token was admitted to the transaction");
        }
        ended = true;
        List<TransactWriteItem> all = new ArrayList<>();
        admitted.forEach((election, token) -> all.add(DynamoDbFence.check(opened.table(), election, token)));
        all.addAll(writes);
        opened.findCredentials();
        try {
            opened.client().transactWriteItems(transaction -> transaction.transactItems(all));
        } catch (TransactionCanceledException refused) {
            refuse(refused);
        } catch (SdkException failure) {
            boolean isRefusal = failure instanceof AwsServiceException answer && answer.statusCode() < 500;
            SinkException told = opened.told(failure);
            if (isRefusal || Opened.isUnreached(failure)) {
                throw new NotAdmittedException(String.valueOf(told.getMessage()), failure);
            }
            throw told;
        }
    }

    /** The reasons stand in the order of the transaction's items. */
    private void refuse(TransactionCanceledException refused) throws FenceException {
        List<CancellationReason> reasons = refused.cancellationReasons();
        int at = 0;
        for (Map.Entry<ElectionName, FencingToken> one : admitted.entrySet()) {
            CancellationReason reason = reasons.get(at++);
            if (REFUSED.equals(reason.code())) {
                MarkItems.read(reason.hasItem() ? reason.item() : Map.of())
                        .map(MarkRule::at)
                        .orElse(MarkRule.unmarked())
                        .admit(one.getKey(), one.getValue());
            }
        }
        String codes = reasons.stream().map(CancellationReason::code).collect(Collectors.joining(", "));
        throw new NotAdmittedException(
                opened.label() + " refused the transaction although no token was refused (" + codes + ")", refused);
    }
}
