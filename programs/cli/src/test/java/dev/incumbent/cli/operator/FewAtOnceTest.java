package dev.incumbent.cli.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.cli.frame.Refusal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** How many are begun at once, and what is told when. */
class FewAtOnceTest {
    private final Deque<CompletableFuture<Integer>> begun = new ArrayDeque<>();
    private int ends;

    @Test
    void sixteenAreBegunAtOnceAndOneMoreAsEachEnds() {
        List<Integer> openAtEach = new ArrayList<>();
        FewAtOnce<Integer, Integer> few = new FewAtOnce<>(
                number -> {
                    begun.add(new CompletableFuture<>());
                    openAtEach.add(begun.size());
                    CompletableFuture<Integer> one = begun.getLast();
                    if (openAtEach.size() == FewAtOnce.MOST) {
                        endTheOldest();
                    }
                    return one;
                },
                "interrupted");
        List<Integer> told = new ArrayList<>();

        List<Integer> results = few.of(IntStream.range(0, 40).boxed().toList(), one -> {
            told.add(one);
            endTheOldest();
        });

        assertThat(results).isEqualTo(IntStream.range(0, 40).boxed().toList()).isEqualTo(told);
        assertThat(openAtEach.subList(0, 16))
                .isEqualTo(IntStream.rangeClosed(1, 16).boxed().toList());
        assertThat(openAtEach.subList(16, 40)).allMatch(open -> open <= 16).contains(15);
    }

    /** With how many have ended before it. */
    private void endTheOldest() {
        if (!begun.isEmpty()) {
            begun.removeFirst().complete(ends++);
        }
    }

    @Test
    void nothingToDoIsDone() {
        assertThat(new FewAtOnce<Integer, Integer>(CompletableFuture::completedFuture, "").of(List.of(), told -> {}))
                .isEmpty();
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() {
        FewAtOnce<Integer, Integer> never =
                new FewAtOnce<>(number -> new CompletableFuture<Integer>(), "interrupted; they go on");
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> never.of(List.of(1), told -> {}))
                .isInstanceOf(Refusal.class)
                .hasMessage("interrupted; they go on");
        assertThat(Thread.interrupted()).isTrue();
    }
}
