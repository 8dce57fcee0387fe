package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

class CallsTest {
    @Test
    void anAdapterThatThrowsAtOnceFailsLikeOneThatFailsLater() {
        CompletionStage<String> call = Calls.of(() -> {
            throw new IllegalStateException("at once");
        });

        assertThat(call.toCompletableFuture()).isCompletedExceptionally();
        assertThat(call.handle((done, failure) -> Calls.why(failure)).toCompletableFuture())
                .isCompletedWithValue("at once");
    }

    @Test
    void anErrorThatItThrowsIsAFailureToo() {
        CompletionStage<String> call = Calls.of(() -> {
            throw new NoClassDefFoundError("driver");
        });

        assertThat(call.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void whatAStageFailedWithIsTakenOutOfItsWrapping() {
        IllegalStateException inner = new IllegalStateException("inner");
        RuntimeException other = new RuntimeException("outer", inner);

        assertThat(Calls.cause(new CompletionException(inner))).isSameAs(inner);
        assertThat(Calls.cause(other)).isSameAs(other);
        CompletionException bare = new CompletionException("bare", null);
        assertThat(Calls.cause(bare)).isSameAs(bare);
    }

    @Test
    void aFailureWithoutAMessageIsToldByItsName() {
        assertThat(Calls.why(new IllegalStateException())).isEqualTo("IllegalStateException");
        assertThat(Calls.why(new CompletionException(new IllegalStateException("inner"))))
                .isEqualTo("inner");
    }

    @Test
    void onlyTheCoordinatorsOwnWordSaysThatACallDidNotApply() {
        assertThat(Calls.mayHaveApplied(new CoordinatorException("refused", false)))
                .isFalse();
        assertThat(Calls.mayHaveApplied(new CompletionException(new CoordinatorException("refused", false))))
                .isFalse();
        assertThat(Calls.mayHaveApplied(new CoordinatorException("late", true))).isTrue();
        assertThat(Calls.mayHaveApplied(new IllegalStateException("who knows"))).isTrue();
    }

    @Test
    void whatDependsOnAStageRunsOnAThreadOfUserCode() {
        List<Runnable> threads = new ArrayList<>();
        List<String> heard = new ArrayList<>();
        CompletableFuture<String> stage = new CompletableFuture<>();

        Calls.handedOut(stage, threads::add).thenAccept(heard::add);
        stage.complete("done");

        assertThat(heard).isEmpty();
        threads.remove(0).run();
        assertThat(heard).containsExactly("done");
    }

    @Test
    void whatIsDoneAlreadyNeedsNoThreadAndNobodyCompletesItForUs() {
        CompletableFuture<String> stage = CompletableFuture.completedFuture("done");
        List<Runnable> threads = new ArrayList<>();

        CompletionStage<String> handed = Calls.handedOut(stage, threads::add);

        assertThat(threads).isEmpty();
        assertThat(handed.toCompletableFuture()).isNotSameAs(stage).isCompletedWithValue("done");
    }
}
