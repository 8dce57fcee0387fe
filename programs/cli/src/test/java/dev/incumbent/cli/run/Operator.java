package dev.incumbent.cli.run;

import dev.incumbent.ElectionAdmin;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider;
import dev.incumbent.model.ElectionName;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** An operator of the runs over the store in a folder. */
final class Operator {
    private Operator() {}

    /** What becomes of an order, or a question, about the election {@code job}. */
    static <T> T ask(Path folder, Function<ElectionAdmin, CompletionStage<T>> order) {
        String at = "file:" + folder.resolve("coordinator.db");
        try (SystemTimeline clocks = new SystemTimeline();
                Coordinator coordinator = CoordinatorProvider.of(at)
                        .open(at, clocks, Duration.ofSeconds(5), CoordinatorProvider.Mode.CREATE)) {
            return order.apply(ElectionAdmin.over(coordinator, clocks, new ElectionName("job"), "tester@here"))
                    .toCompletableFuture()
                    .get(30, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
