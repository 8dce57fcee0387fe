package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import java.time.Duration;

/** The whole contract, on DynamoDB Local. */
class DynamoDbContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new DynamoDbRig(SharedServer.get(), Duration.ofMillis(1_500));
    }
}
