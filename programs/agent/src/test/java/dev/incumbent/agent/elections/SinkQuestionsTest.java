package dev.incumbent.agent.elections;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.fence.MarksRead;
import dev.incumbent.fence.Sink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.Mark;
import dev.incumbent.model.MarkOwner;
import dev.incumbent.model.SinkId;
import dev.incumbent.time.VirtualTimeline;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Whatever a sink does instead of an answer, the others' marks are told. In virtual time. */
class SinkQuestionsTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final NavigableSet<ElectionName> ASKED = new TreeSet<>(List.of(JOB));
    private static final MarksRead READ =
            MarksRead.of(Map.of(JOB, new Mark(new FencingToken(7), MarkOwner.ofOperator("ann"))));

    private final VirtualTimeline time = new VirtualTimeline();
    private final Strand strand = new Strand(time);
    private final List<String> asked = new ArrayList<>();

    @Test
    void oneThatThrowsFailsOrAnswersNullIsLeftOutAndTheOthersAreNot() {
        List<Supplier<CompletionStage<MarksRead>>> wrongs = List.of(
                () -> {
                    throw new NoClassDefFoundError("driver");
                },
                () -> {
                    throw new IllegalStateException("closed");
                },
                () -> null,
                () -> CompletableFuture.completedStage(null),
                () -> CompletableFuture.failedStage(new StackOverflowError()));
        for (Supplier<CompletionStage<MarksRead>> wrong : wrongs) {
            SinkQuestions questions = questions(sink("bad", wrong), sound("good"));
            assertThat(labels(questions.marks(ASKED))).containsExactly("good");
        }
    }

    @Test
    void oneThatNeverAnswersIsLeftOutAfterTenSecondsAndAskedAgain() {
        CompletableFuture<MarksRead> late = new CompletableFuture<>();
        SinkQuestions questions = questions(sink("late", () -> late), sound("good"));
        CompletionStage<List<SinkMarks>> first = questions.marks(ASKED);
        time.advance(SinkQuestions.ANSWERS_WITHIN.minusMillis(1));
        assertThat(first.toCompletableFuture()).isNotDone();
        time.advance(SinkQuestions.ANSWERS_WITHIN);
        assertThat(labels(first)).containsExactly("good");

        late.complete(READ);
        assertThat(labels(first)).containsExactly("good");
        assertThat(labels(questions.marks(ASKED))).containsExactly("late", "good");
    }

    @Test
    void aSinkIsAskedForItsIdUntilItHasToldIt() {
        SinkQuestions questions = questions(sound("good"));
        for (int i = 0; i < 3; i++) {
            assertThat(labels(questions.marks(ASKED))).containsExactly("good");
        }
        assertThat(asked).containsExactly("id", "marks", "marks", "marks");
    }

    private SinkQuestions questions(Sink... sinks) {
        return new SinkQuestions(List.of(sinks), strand);
    }

    private Sink sound(String name) {
        return sink(name, () -> CompletableFuture.completedStage(READ));
    }

    /** A sink of two answers: no other method is called. */
    private Sink sink(String name, Supplier<CompletionStage<MarksRead>> marks) {
        return (Sink) Proxy.newProxyInstance(
                Sink.class.getClassLoader(), new Class<?>[] {Sink.class}, (proxy, method, arguments) -> {
                    switch (method.getName()) {
                        case "id":
                            asked.add("id");
                            return CompletableFuture.completedStage(new SinkId(name));
                        case "marks":
                            asked.add("marks");
                            return marks.get();
                        case "label":
                            return name;
                        default:
                            throw new UnsupportedOperationException(method.getName());
                    }
                });
    }

    private static List<String> labels(CompletionStage<List<SinkMarks>> marks) {
        return marks.toCompletableFuture().join().stream().map(SinkMarks::label).toList();
    }
}
