package dev.incumbent.calls;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LaneTest {
    private static final long DEADLINE = 100;
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Hand hand = new Hand();
    private final Scripted scripted = new Scripted(1);
    private final Lane<Call<String>> lane = lane(Lane.Rules.oneThread("incumbent-test"), scripted);

    private Lane<Call<String>> lane(Lane.Rules rules, Scripted servers) {
        return new Lane<>(rules, hand, Told::new, servers::server);
    }

    private static Call<String> call() {
        return new Call<>(true, DEADLINE);
    }

    private static Call<String> submitted(Lane<Call<String>> to) {
        Call<String> call = call();
        to.submit(call);
        return call;
    }

    /** How it ended. */
    private static String end(Call<String> call) {
        return call.reply()
                .orTimeout(20, TimeUnit.SECONDS)
                .handle((value, failure) -> failure == null ? value : described(failure))
                .join();
    }

    private static String described(Throwable failure) {
        return failure.getMessage() + (failure instanceof Told told ? " " + told.mayHaveApplied() : "");
    }

    @AfterEach
    void close() {
        lane.close();
    }

    @Test
    void servesOneAfterAnotherInTheOrderOfTheirComing() throws Exception {
        Call<String> first = submitted(lane);
        Call<String> second = submitted(lane);

        Scripted.Serving one = scripted.next();
        assertThat(one.calls()).containsExactly(first);
        assertThat(scripted.staysIdle()).as("while the first is served").isTrue();
        one.answers();
        Scripted.Serving two = scripted.next();
        assertThat(two.calls()).containsExactly(second);
        two.answers();

        assertThat(end(first)).isEqualTo("served");
        assertThat(end(second)).isEqualTo("served");
        assertThat(two.thread()).isSameAs(one.thread());
        assertThat(one.thread().getName()).isEqualTo("incumbent-test");
        assertThat(one.thread().isDaemon()).isTrue();
        assertThat(hand.countAtLast()).as("alarms that are left").isZero();
    }

    @Test
    void servesTogetherWhatWaitsTogether() throws Exception {
        Scripted three = new Scripted(3);
        try (Lane<Call<String>> wide = lane(Lane.Rules.oneThread("incumbent-test"), three)) {
            Scripted.Serving alone = served(submitted(wide), three);
            List<Call<String>> waiting = List.of(submitted(wide), submitted(wide), submitted(wide), submitted(wide));
            waiting.get(1).answer("meanwhile");
            alone.answers();

            Scripted.Serving together = three.next();
            assertThat(together.calls()).containsExactly(waiting.get(0), waiting.get(2));
            together.answers();
            assertThat(three.next().calls()).containsExactly(waiting.get(3));
        }
    }

    /** A lane's thread has left its server when it is joined, and ends a moment later. */
    private static void assertEnds(Thread thread) throws InterruptedException {
        thread.join(LONG.toMillis());
        assertThat(thread.isAlive()).isFalse();
    }

    private static Scripted.Serving served(Call<String> call, Scripted by) throws InterruptedException {
        Scripted.Serving serving = by.next();
        assertThat(serving.calls()).containsExactly(call);
        return serving;
    }

    @Test
    void whatIsHandedBackGoesFirstAndInItsOrder() throws Exception {
        Scripted two = new Scripted(2);
        try (Lane<Call<String>> wide = lane(Lane.Rules.oneThread("incumbent-test"), two)) {
            Scripted.Serving alone = served(submitted(wide), two);
            Call<String> a = submitted(wide);
            Call<String> b = submitted(wide);
            alone.answers();
            Scripted.Serving both = two.next();
            Call<String> late = submitted(wide);
            assertThat(a.send() && b.send()).isTrue();
            both.ends(() -> wide.again(both.calls()), () -> {});

            Scripted.Serving again = two.next();
            assertThat(again.calls()).containsExactly(a, b);
            assertThat(a.send()).as("it was taken back").isTrue();
            again.answers();
            assertThat(two.next().calls()).containsExactly(late);
        }
    }

    @Test
    void aCallEndsAtItsDeadlineAndIsServedNoMore() throws Exception {
        Scripted.Serving busy = served(submitted(lane), scripted);
        Call<String> waits = submitted(lane);
        Call<String> patient = new Call<>(true, DEADLINE + 1);
        lane.submit(patient);

        hand.setTo(DEADLINE);

        assertThat(end(waits)).isEqualTo("the store did not answer in time false");
        assertThat(scripted.told())
                .as("nobody waits for the one that is served")
                .containsExactly("abandoned");
        busy.answers();
        assertThat(scripted.next().calls()).containsExactly(patient);
    }

    @Test
    void aCallThatWasSentMayHaveAppliedWhenItsTimeIsOver() throws Exception {
        Call<String> sent = submitted(lane);
        served(sent, scripted);
        sent.send();

        hand.setTo(DEADLINE);

        assertThat(end(sent)).isEqualTo("the store did not answer in time true");
    }

    @Test
    void itsServerIsNotAbandonedWhileSomebodyWaitsForIt() throws Exception {
        Scripted two = new Scripted(2);
        try (Lane<Call<String>> wide = lane(Lane.Rules.oneThread("incumbent-test"), two)) {
            Scripted.Serving alone = served(submitted(wide), two);
            Call<String> a = submitted(wide);
            Call<String> b = new Call<>(true, DEADLINE + 1);
            wide.submit(b);
            alone.answers();
            Scripted.Serving both = two.next();
            assertThat(both.calls()).containsExactly(a, b);

            hand.setTo(DEADLINE);
            assertThat(a.isOver()).isTrue();
            assertThat(two.told()).isEmpty();

            hand.setTo(DEADLINE + 1);
            assertThat(two.told()).containsExactly("abandoned");
        }
    }

    @Test
    void anAnswerAbandonsNobody() throws Exception {
        Call<String> call = submitted(lane);
        Scripted.Serving serving = served(call, scripted);
        call.answer("inside");
        hand.setTo(DEADLINE);
        serving.answers();

        assertThat(end(call)).isEqualTo("inside");
        assertThat(scripted.told()).isEmpty();
    }

    @Test
    void withoutALimitADeadlineEndsNothing() throws Exception {
        Call<String> call = call();
        lane.submitWithoutLimit(call);
        hand.setTo(DEADLINE);
        assertThat(hand.count()).isZero();
        assertThat(call.isOver()).isFalse();
        scripted.next().answers();
        assertThat(end(call)).isEqualTo("served");
    }

    @Test
    void aCloseEndsWhoWaitsAndWhoIsServed() throws Exception {
        Call<String> sent = submitted(lane);
        Scripted.Serving serving = served(sent, scripted);
        sent.send();
        Call<String> waits = submitted(lane);

        lane.close();

        assertThat(end(sent)).isEqualTo("the store was closed meanwhile true");
        assertThat(end(waits)).isEqualTo("the store was closed meanwhile false");
        assertThat(scripted.told()).containsExactly("aborted");
        assertThat(end(submitted(lane))).isEqualTo("the store is closed false");
        assertThat(lane.isClosed()).isTrue();
        serving.answers();
        assertThat(scripted.told(2)).containsExactly("aborted", "left");
        lane.join(LONG);
        assertEnds(serving.thread());
    }

    @Test
    void aCloseWhileNothingIsServedAbortsNothing() throws Exception {
        Call<String> call = submitted(lane);
        served(call, scripted).answers();
        assertThat(end(call)).isEqualTo("served");
        assertThat(lane.isClosed()).isFalse();

        lane.close();
        lane.close();

        assertThat(scripted.told(1)).containsExactly("left");
    }

    @Test
    void aFinishLetsWhatIsServedComeToItsEnd() throws Exception {
        Call<String> served = submitted(lane);
        Scripted.Serving serving = served(served, scripted);
        Call<String> waits = submitted(lane);

        lane.finish();

        assertThat(end(waits)).isEqualTo("the store was closed meanwhile false");
        assertThat(served.isOver()).isFalse();
        serving.ends(() -> lane.again(List.of()), () -> served.answer("in the end"));
        assertThat(end(served)).isEqualTo("in the end");
        lane.join(LONG);
        assertEnds(serving.thread());
        assertThat(scripted.told()).containsExactly("left");
    }

    @Test
    void whatIsHandedBackToAClosedLaneEnds() throws Exception {
        Call<String> served = submitted(lane);
        Scripted.Serving serving = served(served, scripted);
        served.send();
        lane.finish();

        serving.ends(() -> lane.again(serving.calls()), () -> {});

        assertThat(end(served)).isEqualTo("the store is closed false");
    }

    @Test
    void noMoreWaitThanMay() throws Exception {
        try (Lane<Call<String>> narrow =
                lane(Lane.Rules.oneThread("incumbent-test").withMostWaiting(1), scripted)) {
            Call<String> served = submitted(narrow);
            Scripted.Serving serving = served(served, scripted);
            Call<String> waits = submitted(narrow);

            assertThat(end(submitted(narrow))).isEqualTo("the store has 1 calls waiting already false");
            serving.ends(() -> narrow.again(serving.calls()), () -> {});
            served(served, scripted).answers();
            served(waits, scripted).answers();
            assertThat(end(waits)).isEqualTo("served");
        }
    }

    @Test
    void aServerThatThrowsFailsItsCallsAndGoesOn() throws Exception {
        Call<String> first = submitted(lane);
        Scripted.Serving serving = served(first, scripted);
        first.send();
        serving.ends(
                () -> {
                    throw new IllegalStateException("oh");
                },
                () -> {});
        assertThat(end(first)).isEqualTo("the store failed: java.lang.IllegalStateException: oh true");
        assertThat(first.reply().handle((value, failure) -> failure).join().getSuppressed())
                .hasSize(1);

        Call<String> second = submitted(lane);
        served(second, scripted).answers();
        assertThat(end(second)).isEqualTo("served");
    }

    @Test
    void anOutcomeThatThrowsIsToldToTheThreadAndStopsNothing() throws Exception {
        Scripted.Serving serving = served(submitted(lane), scripted);
        AtomicReference<Throwable> heard = new AtomicReference<>();
        serving.thread().setUncaughtExceptionHandler((thread, failure) -> heard.set(failure));
        serving.ends(() -> {}, () -> {
            throw new IllegalStateException("oh");
        });

        served(submitted(lane), scripted).answers();

        assertThat(heard.get()).hasMessage("oh");
    }

    @Test
    void aThreadIsFreeBeforeItsOutcomeIsTold() throws Exception {
        try (Lane<Call<String>> wide =
                lane(Lane.Rules.oneThread("incumbent-test").withThreads(2, LONG), scripted)) {
            Call<String> first = submitted(wide);
            Scripted.Serving serving = served(first, scripted);
            CountDownLatch told = new CountDownLatch(1);
            Call<String> second = call();
            serving.ends(() -> {}, () -> {
                wide.submit(second);
                told.countDown();
            });

            assertThat(told.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(served(second, scripted).thread()).as("no second thread").isSameAs(serving.thread());
        }
    }

    @Test
    void moreThreadsComeWhenNobodyIsFreeAndGoWhenTheyAreIdle() throws Exception {
        Duration soon = Duration.ofMillis(1);
        try (Lane<Call<String>> wide =
                lane(Lane.Rules.oneThread("incumbent-test").withThreads(2, soon), scripted)) {
            Scripted.Serving one = served(submitted(wide), scripted);
            Scripted.Serving two = served(submitted(wide), scripted);
            Call<String> third = submitted(wide);
            assertThat(scripted.staysIdle()).as("two threads at most").isTrue();
            assertThat(List.of(one.thread().getName(), two.thread().getName()))
                    .containsExactly("incumbent-test-1", "incumbent-test-2");

            two.answers();
            served(third, scripted).answers();
            assertThat(scripted.told(1)).containsExactly("left");
            two.thread().join(LONG.toMillis());
            assertThat(two.thread().isAlive()).as("the second has gone").isFalse();

            one.answers();
            assertThat(scripted.staysIdle()).isTrue();
            assertThat(one.thread().isAlive()).as("the first stays").isTrue();
            assertThat(scripted.told()).containsExactly("left");
            Scripted.Serving more = served(submitted(wide), scripted);
            assertThat(more.thread()).isSameAs(one.thread());
            assertThat(served(submitted(wide), scripted).thread().getName()).isEqualTo("incumbent-test-3");
        }
    }

    @Test
    void anInterruptThatWasMeantForServingEndsNoThread() throws Exception {
        Scripted.Serving serving = served(submitted(lane), scripted);
        serving.thread().interrupt();
        serving.answers();

        Call<String> second = submitted(lane);
        Scripted.Serving next = served(second, scripted);

        assertThat(next.thread()).isSameAs(serving.thread());
    }

    @Test
    void aPauseEndsWithItsLane() throws Exception {
        CountDownLatch paused = new CountDownLatch(1);
        Scripted.Serving serving = served(submitted(lane), scripted);
        serving.ends(
                () -> {
                    lane.pause(Duration.ofMillis(1));
                    paused.countDown();
                    lane.pause(Duration.ofHours(1));
                },
                () -> {});
        assertThat(paused.await(20, TimeUnit.SECONDS)).isTrue();

        lane.close();
        lane.join(LONG);

        assertThat(scripted.told()).contains("left");
        assertEnds(serving.thread());
    }

    @Test
    void itsOwnThreadDoesNotWaitForItself() throws Exception {
        Scripted.Serving serving = served(submitted(lane), scripted);
        CountDownLatch joined = new CountDownLatch(1);
        serving.ends(
                () -> {
                    lane.close();
                    lane.join(Duration.ofHours(1));
                    joined.countDown();
                },
                () -> {});

        assertThat(joined.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aJoinWaitsForWhatAServerDoesAsItLeaves() throws Exception {
        CountDownLatch leaving = new CountDownLatch(1);
        CountDownLatch mayLeave = new CountDownLatch(1);
        Lane<Call<String>> slow = new Lane<>(
                Lane.Rules.oneThread("incumbent-test"), hand, Told::new, () -> slowToLeave(leaving, mayLeave));
        assertThat(end(submitted(slow))).isEqualTo("served");
        slow.finish();
        assertThat(leaving.await(20, TimeUnit.SECONDS)).isTrue();

        Thread joins = new Thread(() -> slow.join(LONG));
        joins.start();

        while (joins.isAlive() && joins.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertThat(joins.isAlive()).as("it waits").isTrue();
        mayLeave.countDown();
        joins.join(LONG.toMillis());
        assertThat(joins.isAlive()).isFalse();
    }

    private static Server<Call<String>> slowToLeave(CountDownLatch leaving, CountDownLatch mayLeave) {
        return new Server<>() {
            @Override
            public Runnable serve(List<Call<String>> calls) {
                return () -> calls.forEach(call -> call.answer("served"));
            }

            @Override
            public void leave() {
                leaving.countDown();
                try {
                    mayLeave.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        };
    }

    @Test
    void aJoinWaitsNoLongerThanItMayAndKeepsAnInterrupt() throws Exception {
        served(submitted(lane), scripted);
        lane.close();

        lane.join(Duration.ofMillis(10));
        Thread.currentThread().interrupt();
        lane.join(Duration.ofHours(1));

        assertThat(Thread.interrupted()).isTrue();
    }
}
