package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.CoordinatorException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;
import software.amazon.awssdk.services.dynamodb.model.QueryRequest;
import software.amazon.awssdk.services.dynamodb.model.QueryResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The table as calls use it: each request is sent once, none for a call that is over, and each ends with its call. Reads are strongly consistent save where that is
 * said. Blocks.
 */
final class Table {
    private static final int MOST_OF_A_BATCH = 100;

    /** The wait for credentials ends so much of a call's time before the call: then the call tells why it failed, and not only that it is late. */
    private static final int PART_FOR_THE_REASON = 8;

    private final Opened opened;
    private final Failures failures;

    Table(Opened opened) {
        this.opened = opened;
        this.failures = new Failures(opened);
    }

    /** How a conditional write ended. */
    sealed interface Write {
        record Applied() implements Write {}

        /** The condition did not hold; the item as it is, none where there is none. */
        record Refused(Optional<Item> current) implements Write {}
    }

    Optional<Item> get(TableCall<?> call, Item item) {
        GetItemResponse answer = ask(
                call,
                false,
                bound -> client().getItem(get -> get.tableName(name())
                        .key(item.key())
                        .consistentRead(true)
                        .overrideConfiguration(bound)));
        return answer.hasItem() ? Optional.of(new Item(answer.item())) : Optional.empty();
    }

    /** As many at once as a batch takes. */
    static <T> List<List<T>> batches(Collection<T> all) {
        List<T> list = List.copyOf(all);
        List<List<T>> batches = new ArrayList<>();
        for (int from = 0; from < list.size(); from += MOST_OF_A_BATCH) {
            batches.add(list.subList(from, Math.min(list.size(), from + MOST_OF_A_BATCH)));
        }
        return batches;
    }

    /** Those of a batch that are there. What the server leaves for later is asked for again, until the call is over. */
    List<Item> get(TableCall<?> call, List<Item> batch) {
        List<Item> found = new ArrayList<>();
        List<Map<String, AttributeValue>> keys =
                batch.stream().map(Item::key).distinct().toList();
        while (!keys.isEmpty()) {
            List<Map<String, AttributeValue>> asked = keys;
            BatchGetItemResponse answer = ask(
                    call,
                    false,
                    bound -> client().batchGetItem(get ->
                            get.requestItems(Map.of(name(), keys(asked))).overrideConfiguration(bound)));
            answer.responses().getOrDefault(name(), List.of()).forEach(one -> found.add(new Item(one)));
            keys = Optional.ofNullable(answer.unprocessedKeys().get(name()))
                    .map(KeysAndAttributes::keys)
                    .orElse(List.of());
        }
        return found;
    }

    private static KeysAndAttributes keys(List<Map<String, AttributeValue>> keys) {
        return KeysAndAttributes.builder().keys(keys).consistentRead(true).build();
    }

    /** The items of a partition whose sort key begins so, in its order. */
    List<Item> query(TableCall<?> call, String partition, String beginning, boolean consistent) {
        QueryRequest.Builder query = QueryRequest.builder().tableName(name()).consistentRead(consistent);
        if (beginning.isEmpty()) {
            query.keyConditionExpression("pk = :pk").expressionAttributeValues(Map.of(":pk", Item.text(partition)));
        } else {
            query.keyConditionExpression("pk = :pk and begins_with(sk, :sk)")
                    .expressionAttributeValues(Map.of(":pk", Item.text(partition), ":sk", Item.text(beginning)));
        }
        List<Item> found = new ArrayList<>();
        Map<String, AttributeValue> last;
        do {
            QueryResponse answer = ask(
                    call,
                    false,
                    bound -> client().query(query.overrideConfiguration(bound).build()));
            answer.items().forEach(one -> found.add(new Item(one)));
            last = answer.hasLastEvaluatedKey() ? answer.lastEvaluatedKey() : Map.of();
            query.exclusiveStartKey(last);
        } while (!last.isEmpty());
        return found;
    }

    /** An update with what the caller adds to it: its expressions. */
    Write update(TableCall<?> call, Item item, UnaryOperator<UpdateItemRequest.Builder> how) {
        UpdateItemRequest.Builder update = how.apply(UpdateItemRequest.builder()
                .tableName(name())
                .key(item.key())
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD));
        return write(
                call,
                bound -> client().updateItem(update.overrideConfiguration(bound).build()));
    }

    /** A deletion with what the caller adds to it: its condition, if any. */
    Write delete(TableCall<?> call, Item item, UnaryOperator<DeleteItemRequest.Builder> how) {
        DeleteItemRequest.Builder delete =
                how.apply(DeleteItemRequest.builder().tableName(name()).key(item.key()));
        return write(
                call,
                bound -> client().deleteItem(delete.overrideConfiguration(bound).build()));
    }

    /** Puts an item that must not be there yet, and with it updates others. */
    Write create(TableCall<?> call, Item item, TransactWriteItem... besides) {
        List<TransactWriteItem> all = new ArrayList<>();
        all.add(TransactWriteItem.builder()
                .put(put -> put.tableName(name())
                        .item(item.attributes())
                        .conditionExpression("attribute_not_exists(pk)")
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD))
                .build());
        all.addAll(List.of(besides));
        return write(
                call,
                bound -> client().transactWriteItems(
                                transaction -> transaction.transactItems(all).overrideConfiguration(bound)));
    }

    TransactWriteItem updating(Item item, String expression, Map<String, AttributeValue> values) {
        return TransactWriteItem.builder()
                .update(update -> update.tableName(name())
                        .key(item.key())
                        .updateExpression(expression)
                        .expressionAttributeValues(values))
                .build();
    }

    private Write write(TableCall<?> call, Function<AwsRequestOverrideConfiguration, ?> request) {
        try {
            ask(call, true, request);
            return new Write.Applied();
        } catch (ConditionalCheckFailedException refused) {
            call.takeBackWrite();
            return new Write.Refused(refused.hasItem() ? Optional.of(new Item(refused.item())) : Optional.empty());
        } catch (TransactionCanceledException refused) {
            call.takeBackWrite();
            CancellationReason first = refused.cancellationReasons().get(0);
            if ("ConditionalCheckFailed".equals(first.code())) {
                return new Write.Refused(first.hasItem() ? Optional.of(new Item(first.item())) : Optional.empty());
            }
            throw failures.of(refused, false);
        }
    }

    private <R> R ask(TableCall<?> call, boolean writes, Function<AwsRequestOverrideConfiguration, R> request) {
        failures.findCredentials(Math.max(1, call.leftNanos() - call.leftNanos() / PART_FOR_THE_REASON));
        Duration left = Duration.ofNanos(Math.max(1_000_000, call.leftNanos()));
        AwsRequestOverrideConfiguration bound =
                AwsRequestOverrideConfiguration.builder().apiCallTimeout(left).build();
        if (call.isTooLate() || (writes && !call.sendWrite())) {
            throw new CoordinatorException(opened.server() + " did not answer in time", false);
        }
        try {
            return request.apply(bound);
        } catch (ConditionalCheckFailedException | TransactionCanceledException refused) {
            throw refused;
        } catch (SdkException failure) {
            CoordinatorException why = failures.of(failure, writes);
            if (writes && !why.mayHaveApplied()) {
                call.takeBackWrite();
            }
            throw why;
        }
    }

    private DynamoDbClient client() {
        return opened.client();
    }

    private String name() {
        return opened.address().table();
    }
}
