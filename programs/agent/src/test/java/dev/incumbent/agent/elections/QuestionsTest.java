package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.CoordinatorException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Only so many questions are under way, whatever comes of them. */
@Timeout(20)
class QuestionsTest {
    private final Strand strand = new Strand();
    private final Questions questions = new Questions(strand, 2);
    private final List<CompletableFuture<Integer>> begun = new ArrayList<>();

    @AfterEach
    void end() {
        strand.close();
    }

    @Test
    void whatIsAboveTheBoundWaitsForItsTurn() throws Exception {
        List<CompletionStage<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            answers.add(questions.ask(this::begin));
        }
        settle();
        assertThat(begun).hasSize(2);

        begun.get(1).complete(7);
        settle();
        assertThat(begun).hasSize(3);
        assertThat(value(answers.get(1))).isEqualTo(7);

        begun.get(0).completeExceptionally(new CoordinatorException("gone", false));
        settle();
        assertThat(begun).hasSize(4);
        assertThatThrownBy(() -> value(answers.get(0))).hasRootCauseMessage("gone");
        assertThat(answers.get(3).toCompletableFuture()).isNotDone();
    }

    @Test
    void questionsWaitInTheOrderInWhichTheyWereAsked() throws Exception {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            int number = i;
            questions.ask(() -> {
                order.add(number);
                return begin();
            });
        }
        settle();
        begun.get(0).complete(7);
        settle();
        begun.get(1).complete(7);
        settle();

        assertThat(order).containsExactly(0, 1, 2, 3);
    }

    @Test
    void aQuestionThatThrowsFailsItsAnswerAndTakesNoPlace() throws Exception {
        for (int i = 0; i < 3; i++) {
            CompletionStage<Integer> refused = questions.ask(() -> {
                throw new CoordinatorException("refused", false);
            });
            assertThatThrownBy(() -> value(refused)).hasRootCauseMessage("refused");
        }
        questions.ask(this::begin);
        settle();
        assertThat(begun).hasSize(1);
    }

    private CompletionStage<Integer> begin() {
        CompletableFuture<Integer> question = new CompletableFuture<>();
        begun.add(question);
        return question;
    }

    private static int value(CompletionStage<Integer> answer) throws Exception {
        return answer.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }

    /** The strand does one thing after another: after two rounds it has begun what it may. */
    private void settle() throws InterruptedException {
        for (int i = 0; i < 2; i++) {
            CountDownLatch done = new CountDownLatch(1);
            strand.execute(done::countDown);
            done.await();
        }
    }
}
