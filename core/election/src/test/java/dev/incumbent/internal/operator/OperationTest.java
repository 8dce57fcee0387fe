package dev.incumbent.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.protocol.Step;
import dev.incumbent.protocol.operator.OperatorProtocol;
import dev.incumbent.time.Timeline;
import dev.incumbent.time.VirtualTimeline;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** One operation, over a store and sinks that answer at once, on the test's own thread. */
class OperationTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Duration BOUND = Duration.ofSeconds(30);

    private final VirtualTimeline time = new VirtualTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final Coordinator wired = MemoryCoordinator.connect(store, time, Duration.ofSeconds(2));
    private final List<String> calls = new ArrayList<>();
    private final List<Sink> sinks = List.of(sink("S-a"), sink("S-b"));
    private final List<Long> alarms = new ArrayList<>();

    @Test
    void whatIsAnsweredAtOnceIsTakenAfterTheWholeStepThatAsked() {
        CompletableFuture<Void> late = new CompletableFuture<>();

        CompletionStage<OperatorOutcome> frozen = freeze(swappingAfter(late));
        assertThat(calls).isEmpty();
        late.complete(null);

        assertThat(frozen.toCompletableFuture()).isCompleted();
        assertThat(calls).containsExactly("marks of S-a", "marks of S-b", "raise of S-a", "raise of S-b");
    }

    /** A timeline may take the end of time for the past. */
    @Test
    void noAlarmIsSetWhereOnlyAnEventMatters() {
        assertThat(freeze(wired).toCompletableFuture()).isCompleted();

        assertThat(alarms).isNotEmpty().doesNotContain(Step.NEVER);
    }

    private CompletionStage<OperatorOutcome> freeze(Coordinator coordinator) {
        return new Operation(
                        new Operation.Place(coordinator, noting(), JOB),
                        sinks,
                        OperatorProtocol.freeze("ann", "a test", List.of("a", "b"), BOUND, false),
                        progress -> {})
                .run();
    }

    private Coordinator swappingAfter(CompletionStage<Void> late) {
        return around(
                Coordinator.class,
                wired,
                (call, arguments, answer) ->
                        call.equals("swap") ? late.thenCompose(done -> (CompletionStage<?>) answer) : answer);
    }

    private Sink sink(String id) {
        Sink whole =
                new MemorySink(new dev.incumbent.fence.memory.MemoryStore(new SinkId(id)), time, Duration.ofSeconds(5));
        return around(Sink.class, whole, (call, arguments, answer) -> {
            if (!call.equals("id")) {
                calls.add(call + " of " + id);
            }
            return answer;
        });
    }

    private Timeline noting() {
        return around(Timeline.class, time, (call, arguments, answer) -> {
            if (call.equals("at")) {
                alarms.add((Long) arguments[0]);
            }
            return answer;
        });
    }

    /** What may be done about a call that was made. */
    private interface Made {
        Object answered(String call, Object[] arguments, Object answer);
    }

    private static <T> T around(Class<T> type, T whole, Made made) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) ->
                        made.answered(method.getName(), arguments, method.invoke(whole, arguments))));
    }
}
