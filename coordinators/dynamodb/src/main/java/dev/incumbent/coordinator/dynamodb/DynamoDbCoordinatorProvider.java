package dev.incumbent.coordinator.dynamodb;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.dynamodb.DynamoDbUri;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.Set;

/**
 * Opens coordinators in a table of DynamoDB: {@code dynamodb://TABLE?region=REGION}, with the credentials that the SDK finds. {@code &endpoint=} names another server
 * than the region's, such as an emulator's.
 */
public final class DynamoDbCoordinatorProvider implements CoordinatorProvider {
    /** For {@link java.util.ServiceLoader}. */
    public DynamoDbCoordinatorProvider() {}

    @Override
    public Set<String> schemes() {
        return Set.of(DynamoDbUri.SCHEME);
    }

    /** Makes no table, in no mode: one that was mistyped would cost money. It connects with its first call. */
    @Override
    public Coordinator open(String at, Timeline timeline, Duration requestTimeout, Mode mode) {
        return new DynamoDbCoordinator(Opened.at(at, timeline, requestTimeout), timeline, requestTimeout, mode);
    }

    /** Makes the table where it is missing, paid for by request, and waits until it can be used. */
    @Override
    public void install(String at, Duration bound) {
        try (SystemTimeline timeline = new SystemTimeline();
                Opened opened = Opened.at(at, timeline, bound)) {
            new Installation(opened).run(bound);
        }
    }
}
