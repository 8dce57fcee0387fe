package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import java.time.Duration;
import java.util.List;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.waiters.WaiterOverrideConfiguration;
import software.amazon.awssdk.retries.api.BackoffStrategy;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/** Makes the table, where it is missing. Blocks. */
final class Installation {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(250);

    private static final List<KeySchemaElement> KEY =
            List.of(key(Item.PARTITION, KeyType.HASH), key(Item.SORT, KeyType.RANGE));

    private final Opened opened;
    private final Failures failures;

    Installation(Opened opened) {
        this.opened = opened;
        this.failures = new Failures(opened);
    }

    void run(Duration bound) {
        failures.findCredentials(bound.toNanos());
        try {
            create();
            awaitActive(bound);
        } catch (SdkException failure) {
            throw failures.of(failure, true);
        }
    }

    private void create() {
        try {
            opened.client()
                    .createTable(create -> create.tableName(opened.address().table())
                            .billingMode(BillingMode.PAY_PER_REQUEST)
                            .attributeDefinitions(text(Item.PARTITION), text(Item.SORT))
                            .keySchema(KEY));
        } catch (ResourceInUseException isThere) {
            return;
        }
    }

    private void awaitActive(Duration bound) {
        WaiterOverrideConfiguration patience = WaiterOverrideConfiguration.builder()
                .waitTimeout(bound)
                .maxAttempts((int) Math.max(1, bound.dividedBy(BETWEEN_LOOKS)))
                .backoffStrategyV2(BackoffStrategy.fixedDelayWithoutJitter(BETWEEN_LOOKS))
                .build();
        try (DynamoDbWaiter waiter = DynamoDbWaiter.builder()
                .client(opened.client())
                .overrideConfiguration(patience)
                .build()) {
            var table = waiter.waitUntilTableExists(
                            describe -> describe.tableName(opened.address().table()))
                    .matched()
                    .response()
                    .orElseThrow(() -> new CoordinatorException(opened.table() + " is not ready yet", true))
                    .table();
            if (!table.keySchema().equals(KEY)) {
                throw new CoordinatorUnusableException(
                        opened.table() + " is not Incumbent's, its key is not pk and sk");
            }
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
}
