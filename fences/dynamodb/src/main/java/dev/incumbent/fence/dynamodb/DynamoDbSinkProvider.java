package dev.incumbent.fence.dynamodb;

import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.SinkException;
import dev.incumbent.fence.SinkProvider;
import dev.incumbent.model.ElectionName;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** Opens a table of DynamoDB as a sink: {@code dynamodb://TABLE?region=REGION}, as its coordinator is named. */
public final class DynamoDbSinkProvider implements SinkProvider {
    private static final String SCHEME = DynamoDbUri.SCHEME + ":";
    private static final Duration INSTALLING = Duration.ofSeconds(60);

    /** For {@link java.util.ServiceLoader}. */
    public DynamoDbSinkProvider() {}

    @Override
    public boolean opens(String url) {
        return url.startsWith(SCHEME);
    }

    @Override
    public Set<String> schemes() {
        return Set.of(SCHEME);
    }

    @Override
    public Sink open(String url, Duration bound) {
        return new DynamoDbSink(Opened.of(url, bound), bound);
    }

    /** Makes the table too, where it is missing, and waits until it can be used. */
    @Override
    public void install(String url) {
        try (Opened opened = Opened.of(url, INSTALLING)) {
            install(opened);
        }
    }

    static void install(Opened opened) {
        opened.findCredentials();
        createTable(opened);
        giveId(opened);
    }

    private static void createTable(Opened opened) {
        try {
            opened.client()
                    .createTable(create -> create.tableName(opened.table())
                            .billingMode(BillingMode.PAY_PER_REQUEST)
                            .attributeDefinitions(text(MarkItems.PARTITION), text(MarkItems.SORT))
                            .keySchema(key(MarkItems.PARTITION, KeyType.HASH), key(MarkItems.SORT, KeyType.RANGE)));
        } catch (ResourceInUseException isThere) {
            return;
        } catch (SdkException failure) {
            throw opened.told(failure);
        }
        try (var waiter = opened.client().waiter()) {
            waiter.waitUntilTableExists(describe -> describe.tableName(opened.table()));
        } catch (SdkException failure) {
            throw opened.told(failure);
        }
    }

    private static void giveId(Opened opened) {
        try {
            opened.client()
                    .updateItem(update -> update.tableName(opened.table())
                            .key(MarkItems.sink())
                            .conditionExpression("attribute_not_exists(pk)")
                            .updateExpression("SET id = :id")
                            .expressionAttributeValues(Map.of(
                                    ":id",
                                    AttributeValue.fromS(UUID.randomUUID().toString()))));
        } catch (ConditionalCheckFailedException hasOne) {
            return;
        } catch (SdkException failure) {
            throw opened.told(failure);
        }
    }

    private static AttributeDefinition text(String name) {
        return AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build();
    }

    private static KeySchemaElement key(String name, KeyType type) {
        return KeySchemaElement.builder().attributeName(name).keyType(type).build();
    }

    @Override
    public void guard(String url, String table, ElectionName election) {
        throw new SinkException(
                "DynamoDB has no triggers to guard a table with; a write is fenced by checking the mark in its own transaction");
    }
}
