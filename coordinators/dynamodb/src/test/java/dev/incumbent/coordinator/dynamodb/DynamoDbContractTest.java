package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.time.Duration;

/** The whole contract, on Dynoxide. */
class DynamoDbContractTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new DynamoDbRig(SharedServer.get(), pace.requestTimeout(Duration.ofMillis(1_500)));
    }
}
