package dev.incumbent.internal.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.SinkId;
import dev.incumbent.outcome.Freezing;
import dev.incumbent.outcome.OpenSink;
import dev.incumbent.outcome.OperatorOutcome;
import dev.incumbent.outcome.Thaw;
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
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One operation, over a store and sinks that answer at once, on the test's own thread. */
class OperationTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Duration BOUND = Duration.ofSeconds(30);
    private static final OperatorOutcome NONE = new OperatorOutcome.Failed("not done", false, false);

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

    @ParameterizedTest
    @ValueSource(strings = {"id", "marks", "raise"})
    void aSinkThatThrowsIsLeftOpenAndAllOthersAreClosed(String spoilt) {
        for (Object thrown : List.of(new IllegalStateException("a bug"), new NoClassDefFoundError("a bug"))) {
            CompletionStage<OperatorOutcome> frozen = freeze(wired, List.of(spoilt(spoilt, thrown), sink("S-b")));
            assertThat(frozen.toCompletableFuture()).as("it asks again").isNotDone();
            long asked = time.nanos();
            time.advance(BOUND.plusSeconds(2));

            Freezing.Frozen told =
                    (Freezing.Frozen) frozen.toCompletableFuture().getNow(NONE);
            assertThat(told.closed()).containsExactly("b");
            assertThat(told.open()).singleElement().satisfies(open -> {
                assertThat(open.sink()).isEqualTo("a");
                assertThat(open.why()).isEqualTo("a bug");
            });
            assertThat(told.isClosed()).isFalse();
            assertThat(time.nanos() - asked).isEqualTo(BOUND.plusSeconds(2).toNanos());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "marks", "raise"})
    void aSinkThatAnswersNothingIsLeftOpen(String spoilt) {
        CompletionStage<OperatorOutcome> frozen = freeze(wired, List.of(spoilt(spoilt, "nothing"), sink("S-b")));
        time.advance(BOUND.plusSeconds(2));

        Freezing.Frozen told = (Freezing.Frozen) frozen.toCompletableFuture().getNow(NONE);
        assertThat(told.closed()).containsExactly("b");
        assertThat(told.open()).extracting(OpenSink::sink).containsExactly("a");
    }

    @Test
    void aSinkThatThrowsOnceIsClosedAtTheNextTry() {
        AtomicInteger left = new AtomicInteger(1);
        Sink spoilt = around(Sink.class, sink("S-a"), (call, arguments, answer) -> {
            if (call.equals("marks") && left.getAndDecrement() > 0) {
                throw new IllegalStateException("a bug");
            }
            return answer;
        });
        CompletionStage<OperatorOutcome> frozen = freeze(wired, List.of(spoilt, sink("S-b")));

        time.advance(Duration.ofSeconds(1));

        assertThat(((Freezing.Frozen) frozen.toCompletableFuture().getNow(NONE)).closed())
                .containsExactly("a", "b");
    }

    @Test
    void aWatchThatThrowsEndsNoFreeze() {
        Coordinator blind = around(Coordinator.class, wired, (call, arguments, answer) -> {
            if (call.equals("watch")) {
                throw new CoordinatorException("it cannot be watched", false);
            }
            return answer;
        });

        Freezing.Frozen told =
                (Freezing.Frozen) freeze(blind).toCompletableFuture().getNow(NONE);

        assertThat(told.closed()).containsExactly("a", "b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"id", "marks", "raise"})
    void aThawNamesTheSinkThatThrowsAndLeavesTheFlag(String spoilt) {
        freeze(wired);
        CompletionStage<OperatorOutcome> thawed = new Operation(
                        new Operation.Place(wired, noting(), JOB),
                        List.of(spoilt(spoilt, new IllegalStateException("a bug")), sinks.get(1)),
                        OperatorProtocol.thaw("ann", List.of("a", "b"), BOUND),
                        progress -> {})
                .run();
        time.advance(BOUND.plusSeconds(2));

        OperatorOutcome told = thawed.toCompletableFuture().getNow(NONE);
        List<OpenSink> open = told instanceof Thaw.NotRead unread ? unread.sinks() : ((Thaw.NotRaised) told).sinks();
        assertThat(open).containsExactly(new OpenSink("a", "a bug"));
    }

    private CompletionStage<OperatorOutcome> freeze(Coordinator coordinator) {
        return freeze(coordinator, sinks);
    }

    /** A sink whose call of that name does nothing but throw, or answer with nothing. */
    private Sink spoilt(String call, Object how) {
        Sink whole = sink("S-a");
        return (Sink) Proxy.newProxyInstance(
                Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals(call)) {
                        return method.invoke(whole, arguments);
                    }
                    if (how instanceof Throwable thrown) {
                        throw thrown;
                    }
                    return CompletableFuture.completedFuture(null);
                });
    }

    private CompletionStage<OperatorOutcome> freeze(Coordinator coordinator, List<Sink> given) {
        return new Operation(
                        new Operation.Place(coordinator, noting(), JOB),
                        given,
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
