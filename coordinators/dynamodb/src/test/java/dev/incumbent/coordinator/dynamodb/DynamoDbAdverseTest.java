package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.adverse.AdverseContract;
import dev.incumbent.adverse.AdverseRig;
import java.util.List;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Candidacies on Dynoxide in trouble. */
class DynamoDbAdverseTest extends AdverseContract {
    private boolean harmsItsServer;

    /** Only who harms its server has one of its own. */
    @RegisterExtension
    final BeforeEachCallback choice = test -> harmsItsServer =
            List.of(test.getRequiredTestMethod().getParameterTypes()).contains(AdverseRig.ServerFault.class);

    @Override
    protected AdverseRig openRig() {
        return harmsItsServer ? DynamoDbTroubles.onAServerOfItsOwn() : DynamoDbTroubles.onTheSharedServer();
    }
}
