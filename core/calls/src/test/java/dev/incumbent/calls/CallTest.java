package dev.incumbent.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A call in every order of what may happen to it, beside a description of what should become of it. */
class CallTest {
    private static final int LONGEST = 6;
    private static final long DEADLINE = 100;

    private int orders;

    /** What happens to a call. */
    private enum Happening {
        SENT,
        TAKEN_BACK,
        ANSWERED,
        ANSWERED_BADLY,
        FAILED,
        BROKEN,
        OUT_OF_TIME
    }

    /** What should become of it. */
    private static final class Expected {
        private final boolean writes;
        private boolean sent;
        private Optional<String> outcome = Optional.empty();

        Expected(boolean writes) {
            this.writes = writes;
        }

        /** Does it take effect, and so say true? */
        boolean takes(Happening happening) {
            boolean open = outcome.isEmpty();
            if (happening == Happening.SENT || happening == Happening.TAKEN_BACK) {
                boolean changes = open && sent != (happening == Happening.SENT);
                sent = changes != sent;
                return changes;
            }
            if (open) {
                outcome = Optional.of(
                        switch (happening) {
                            case ANSWERED -> "an answer";
                            case ANSWERED_BADLY -> "no meaning";
                            case FAILED -> "known";
                            case BROKEN -> "the store broke " + (writes && sent);
                            default -> "the store was late " + (writes && sent);
                        });
            }
            return open;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("trial")
    void endsOnceAndTellsWhetherItMayHaveApplied(boolean writes) {
        play(writes, List.of());
        assertThat(orders).as("orders that were played").isEqualTo(137_257);
    }

    private void play(boolean writes, List<Happening> order) {
        orders++;
        check(writes, order);
        if (order.size() < LONGEST) {
            for (Happening next : Happening.values()) {
                List<Happening> longer = new ArrayList<>(order);
                longer.add(next);
                play(writes, longer);
            }
        }
    }

    private static void check(boolean writes, List<Happening> order) {
        Hand hand = new Hand();
        List<String> tooLate = new ArrayList<>();
        Expected expected = new Expected(writes);
        Call<String> call = new Call<>(writes, DEADLINE);
        call.limit(
                hand,
                "was late",
                Told::new,
                () -> tooLate.add(call.isOver() + " " + call.reply().isDone()));
        for (Happening happening : order) {
            boolean rang = happening == Happening.OUT_OF_TIME && hand.count() > 0;
            boolean took = happens(call, hand, happening);
            boolean shouldTake = expected.takes(happening);
            if (happening == Happening.OUT_OF_TIME) {
                assertThat(rang).as("%s: an alarm rings", order).isEqualTo(shouldTake);
                if (shouldTake) {
                    assertThat(tooLate)
                            .as("%s: heard of first by its lane", order)
                            .containsExactly("true false");
                }
            } else {
                assertThat(took).as("%s: %s took effect", order, happening).isEqualTo(shouldTake);
            }
            assertThat(outcome(call)).as("%s", order).isEqualTo(expected.outcome);
            assertThat(call.isOver()).isEqualTo(expected.outcome.isPresent());
            assertThat(hand.count()).as("%s: alarms", order).isEqualTo(call.isOver() ? 0 : 1);
        }
        assertThat(tooLate.size()).isLessThan(2);
    }

    private static boolean happens(Call<String> call, Hand hand, Happening happening) {
        return switch (happening) {
            case SENT -> call.send();
            case TAKEN_BACK -> call.takeBack();
            case ANSWERED -> call.answer("an answer");
            case ANSWERED_BADLY ->
                call.answer(() -> {
                    throw new IllegalStateException("no meaning");
                });
            case FAILED -> call.fail(new IllegalStateException("known"));
            case BROKEN -> call.fail("broke", Told::new);
            case OUT_OF_TIME -> {
                hand.setTo(DEADLINE);
                yield true;
            }
        };
    }

    private static Optional<String> outcome(Call<String> call) {
        if (!call.reply().isDone()) {
            return Optional.empty();
        }
        return Optional.of(call.reply()
                .handle((value, failure) -> failure == null ? value : described(failure))
                .join());
    }

    private static String described(Throwable failure) {
        return failure.getMessage() + (failure instanceof Told told ? " " + told.mayHaveApplied() : "");
    }

    @Test
    void noMeaningIsAskedOfAnAnswerThatComesTooLate() {
        Call<String> call = new Call<>(true, DEADLINE);
        call.fail("broke", Told::new);

        boolean took = call.answer(() -> {
            throw new AssertionError("asked");
        });

        assertThat(took).isFalse();
    }

    @Test
    void whatCameUntilItsDeadlineMayBeItsAnswer() {
        Hand hand = new Hand();
        Call<String> late = new Call<>(true, DEADLINE);
        Call<String> answered = new Call<>(true, DEADLINE);
        List<String> ended = new ArrayList<>();
        late.limit(hand, () -> ended.add("late " + late.answer("half")));
        answered.limit(hand, () -> ended.add("answered " + answered.answer("half")));
        answered.answer("all");
        hand.setTo(DEADLINE - 1);
        assertThat(ended).isEmpty();

        hand.setTo(DEADLINE);

        assertThat(ended).containsExactly("late true");
        assertThat(outcome(late)).contains("half");
        assertThat(outcome(answered)).contains("all");
    }

    @Test
    void aCallMayAddWhatWasCalled() {
        Hand hand = new Hand();
        Call<String> late = new Named(true, DEADLINE);
        Call<String> broken = new Named(false, DEADLINE);
        late.limit(hand, "was late", Told::new, () -> {});
        late.send();
        broken.send();

        hand.setTo(DEADLINE);
        broken.fail("broke", Told::new);

        assertThat(outcome(late)).contains("the store was late (a swap) true");
        assertThat(outcome(broken)).contains("the store broke (a swap) false");
    }

    /** A call that tells what it was. */
    private static final class Named extends Call<String> {
        Named(boolean writes, long deadlineNanos) {
            super(writes, deadlineNanos);
        }

        @Override
        protected RuntimeException failure(String why, boolean mayHaveApplied, Failures failures) {
            return super.failure(why + " (a swap)", mayHaveApplied, failures);
        }
    }

    @Test
    void itsCallerHearsOfTheDeadlineEvenIfWhoHearsOfItFirstThrows() {
        Hand hand = new Hand();
        Call<String> call = new Call<>(true, DEADLINE);
        call.limit(hand, "was late", Told::new, () -> {
            throw new IllegalStateException("oh");
        });

        Throwable thrown = catchThrowable(() -> hand.setTo(DEADLINE));

        assertThat(thrown).hasMessage("oh");
        assertThat(outcome(call)).contains("the store was late false");
    }

    @Test
    void rememberWhatTheyWereMadeOf() {
        assertThat(new Call<>(true, 5).writes()).isTrue();
        assertThat(new Call<>(false, 5).writes()).isFalse();
        assertThat(new Call<>(false, 5).deadlineNanos()).isEqualTo(5);
    }

    @Test
    void theJdkKeepsTimeToo() {
        Call<String> answered = new Call<>(false, 60_000_000_000L);
        Call<String> late = new Call<>(false, 30_000_000);
        List<String> tooLate = new ArrayList<>();
        answered.limit(Deadlines.fromNow(), "was late", Told::new, () -> tooLate.add("answered"));
        answered.answer("in time");
        late.limit(Deadlines.fromNow(), "was late", Told::new, () -> tooLate.add("late"));

        Throwable failure = catchThrowable(() -> late.reply().join());

        assertThat(failure).hasRootCauseMessage("the store was late");
        assertThat(tooLate).containsExactly("late");
        assertThat(answered.reply().join()).isEqualTo("in time");
    }

    @Test
    void whatWasTakenBackFromTheJdkDoesNotRun() throws InterruptedException {
        List<String> ran = new CopyOnWriteArrayList<>();
        CountDownLatch later = new CountDownLatch(1);
        Deadlines.fromNow().at(1_500_000_000, () -> ran.add("taken back")).run();
        Deadlines.fromNow().at(1_501_000_000, () -> {
            ran.add("later");
            later.countDown();
        });

        assertThat(later.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).containsExactly("later");
    }
}
