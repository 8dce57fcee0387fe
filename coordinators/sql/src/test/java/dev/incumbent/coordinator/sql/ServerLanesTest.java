package dev.incumbent.coordinator.sql;

import static dev.incumbent.coordinator.tck.Asking.failure;
import static dev.incumbent.coordinator.tck.Asking.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.tck.HandRung;
import dev.incumbent.time.SystemTimeline;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How calls to a database server wait, are sent, end and are handed back, whatever they do. */
@Timeout(120)
final class ServerLanesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final SystemTimeline real = new SystemTimeline();
    private final HandRung timeline = new HandRung(real);
    private final CountDownLatch aborted = new CountDownLatch(1);
    private final InMemory database = new InMemory(connection -> aborted.countDown());
    private final List<AutoCloseable> opened = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : opened) {
            one.close();
        }
        real.close();
    }

    @Test
    void aReadWhoseConnectionBrokeIsSentOnceMore() throws Exception {
        AtomicInteger runs = new AtomicInteger();

        CompletableFuture<Integer> read = lanes(1).read(session -> {
            if (runs.incrementAndGet() == 1) {
                throw broken();
            }
            return runs.get();
        });

        assertThat(get(read).intValue()).isEqualTo(2);
        assertThat(database.told()).containsExactly("opened", "aborted", "ended", "opened");
    }

    @Test
    void aReadWhoseConnectionBreaksTwiceFails() throws Exception {
        AtomicInteger runs = new AtomicInteger();

        CoordinatorException failed = failure(lanes(1).read(session -> {
            runs.incrementAndGet();
            throw broken();
        }));

        assertThat(failed).hasMessage("the coordinator h2://here: it broke");
        assertThat(failed.mayHaveApplied()).isFalse();
        assertThat(runs).hasValue(2);
    }

    @Test
    void aWriteWhoseConnectionBrokeMayHaveAppliedAndIsNotSentAgain() throws Exception {
        AtomicInteger runs = new AtomicInteger();

        CoordinatorException failed = failure(lanes(1).write(session -> {
            runs.incrementAndGet();
            throw broken();
        }));

        assertThat(failed.mayHaveApplied()).isTrue();
        assertThat(runs).hasValue(1);
    }

    @Test
    void aWriteThatTheServerRefusedDidNotApplyAndCostsNoConnection() throws Exception {
        ServerLanes lanes = lanes(1);

        CoordinatorException failed = failure(lanes.write(session -> {
            throw refused();
        }));

        assertThat(failed.mayHaveApplied()).isFalse();
        assertThat(get(lanes.read(session -> "served")).toString()).isEqualTo("served");
        assertThat(database.told()).containsExactly("opened");
    }

    @Test
    void aWriteThatFailsUnexpectedlyMayHaveAppliedAndCostsItsConnection() throws Exception {
        CoordinatorException failed = failure(lanes(1).write(session -> {
            throw new IllegalStateException("oh");
        }));

        assertThat(failed).hasMessage("the coordinator h2://here failed: java.lang.IllegalStateException: oh");
        assertThat(failed.mayHaveApplied()).isTrue();
        assertThat(database.told()).containsExactly("opened", "aborted", "ended");
    }

    @Test
    void aCallEndsAtItsDeadlineAndOneThatWaitedIsNotServed() throws Exception {
        Held held = new Held();
        List<String> served = new CopyOnWriteArrayList<>();
        ServerLanes lanes = lanes(1);
        CompletableFuture<String> sent = lanes.write(held);
        held.awaitBegun();
        CompletableFuture<Boolean> waits = lanes.write(session -> served.add("though it was over"));

        timeline.ring();

        assertThat(failure(sent)).hasMessage("the coordinator h2://here did not answer in time");
        assertThat(failure(sent).mayHaveApplied()).isTrue();
        assertThat(failure(waits).mayHaveApplied()).isFalse();
        held.goOn();
        CompletableFuture<Boolean> next = lanes.write(session -> served.add("the next"));
        assertThat(get(next).booleanValue()).isTrue();
        assertThat(served).containsExactly("the next");
    }

    @Test
    void aCloseEndsTheCallUnderWayByAbortingItsConnection() throws Exception {
        ServerLanes lanes = lanes(1);
        Held held = new Held();
        CompletableFuture<String> underWay = lanes.write(session -> {
            held.in();
            throw broken();
        });
        held.awaitBegun();
        CompletableFuture<String> waits = lanes.write(session -> "never");
        Thread hangsUp = new Thread(() -> {
            awaitUninterruptibly(aborted);
            held.goOn();
        });
        hangsUp.start();

        lanes.close();

        assertThat(failure(underWay)).hasMessage("the coordinator h2://here was closed meanwhile");
        assertThat(failure(underWay).mayHaveApplied()).isTrue();
        assertThat(failure(waits).mayHaveApplied()).isFalse();
        assertThat(database.told())
                .as("its thread has ended")
                .contains("aborted")
                .endsWith("ended");
        assertThat(failure(lanes.read(session -> "never"))).hasMessage("the coordinator h2://here is closed");
    }

    @Test
    void aCloseAbortsNoConnectionThatIsIdle() throws Exception {
        ServerLanes lanes = lanes(1);
        assertThat(get(lanes.read(session -> "served")).toString()).isEqualTo("served");

        lanes.close();

        assertThat(database.told()).containsExactly("opened", "ended");
    }

    /** Some drivers connect once more to abort a connection. */
    @Test
    void anAbortThatTakesLongHoldsNoCallerUp() throws Exception {
        CountDownLatch mayAbort = new CountDownLatch(1);
        CountDownLatch aborts = new CountDownLatch(1);
        InMemory slow = new InMemory(connection -> {
            aborts.countDown();
            awaitUninterruptibly(mayAbort);
        });
        ServerLanes lanes = lanes(1, slow);
        Held held = new Held();
        CompletableFuture<String> underWay = lanes.read(held);
        held.awaitBegun();
        Thread closes = new Thread(lanes::close);
        closes.start();
        assertThat(aborts.await(20, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<CoordinatorException> ended = new CompletableFuture<>();
        Thread submits = new Thread(() -> ended.complete(failureOf(lanes.read(session -> "never"))));
        submits.start();

        try {
            assertThat((Throwable) get(ended)).hasMessageEndingWith("is closed");
            assertThat(failure(underWay)).hasMessageEndingWith("was closed meanwhile");
        } finally {
            mayAbort.countDown();
            held.goOn();
        }
        closes.join();
    }

    @Test
    void whoHearsAnAnswerAndCallsAgainFindsItsConnectionFree() throws Exception {
        ServerLanes lanes = lanes(4);

        Held held = new Held();
        CompletableFuture<String> chain = lanes.read(held)
                .thenCompose(one -> lanes.read(session -> "two"))
                .thenCompose(two -> lanes.read(session -> "three"));
        held.goOn();

        assertThat(get(chain)).isEqualTo("three");
        assertThat(database.told()).containsExactly("opened");
    }

    @Test
    void moreConnectionsComeWhileCallsWaitButNoMoreThanMay() throws Exception {
        ServerLanes lanes = lanes(2);
        List<Held> held = List.of(new Held(), new Held());
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (Held one : held) {
            calls.add(lanes.read(one));
            one.awaitBegun();
        }
        calls.add(lanes.read(session -> "third"));
        assertThat(database.told()).containsExactly("opened", "opened");

        held.forEach(Held::goOn);

        for (CompletableFuture<String> call : calls) {
            assertThat(get(call)).isNotEmpty();
        }
        assertThat(database.told()).containsExactly("opened", "opened");
    }

    @Test
    void whoeverAStatementOfSeveralLeftOutIsServedAlone() throws Exception {
        Joint joint = new Joint(items -> Map.of(0, "together " + items.get(0), 2, "together " + items.get(2)));

        List<String> answers = endsOf(joint, 3);

        assertThat(answers).containsExactly("together 0", "alone 1", "together 2");
        assertThat(joint.asked).containsExactly(List.of(0, 1, 2));
    }

    @Test
    void whereAStatementOfSeveralIsRefusedEachIsServedAlone() throws Exception {
        Joint joint = new Joint(items -> {
            throw refused();
        });

        assertThat(endsOf(joint, 3)).containsExactly("alone 0", "alone 1", "alone 2");
        assertThat(joint.asked).hasSize(1);
    }

    @Test
    void whereTheConnectionOfSeveralBreaksAllOfThemMayHaveApplied() throws Exception {
        Joint joint = new Joint(items -> {
            throw broken();
        });

        assertThat(endsOf(joint, 2))
                .containsExactly(
                        "the coordinator h2://here: it broke true", "the coordinator h2://here: it broke true");
    }

    @Test
    void thoseThatConcernTheSameAreNotInOneStatement() throws Exception {
        Joint joint = new Joint(items -> {
            Map<Integer, String> done = new HashMap<>();
            for (int i = 0; i < items.size(); i++) {
                done.put(i, "together " + items.get(i));
            }
            return done;
        });

        assertThat(endsOf(joint, 4, 2)).containsExactly("together 0", "together 1", "together 2", "together 3");
        assertThat(joint.asked).containsExactly(List.of(0, 1), List.of(2, 3));
    }

    @Test
    void thoseOfAStatementMayHaveAppliedWhenTheirTimeIsOver() throws Exception {
        Held held = new Held();
        Joint joint = new Joint(items -> Map.of(0, held.in(), 1, "in the end"));
        List<CompletableFuture<String>> calls = shared(joint, 2, 2);
        held.awaitBegun();

        timeline.ring();

        for (CompletableFuture<String> call : calls) {
            assertThat(failure(call).mayHaveApplied()).isTrue();
        }
        held.goOn();
    }

    private List<String> endsOf(Joint joint, int count) throws Exception {
        return endsOf(joint, count, count);
    }

    /** How calls end that wait together. */
    private List<String> endsOf(Joint joint, int count, int keys) throws Exception {
        List<String> ends = new ArrayList<>();
        for (CompletableFuture<String> call : shared(joint, count, keys)) {
            ends.add(get(call.exceptionally(e -> e.getMessage() + " " + ((CoordinatorException) e).mayHaveApplied())));
        }
        return ends;
    }

    /** Calls that wait together, and are served now. */
    private List<CompletableFuture<String>> shared(Joint joint, int count, int keys) throws Exception {
        ServerLanes lanes = lanes(1);
        Held held = new Held();
        CompletableFuture<String> busy = lanes.read(held);
        held.awaitBegun();
        List<CompletableFuture<String>> calls = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int item = i;
            Optional<Share<?, String>> share = Optional.of(new Share<>(joint, item % keys, item));
            calls.add(lanes.write(session -> "alone " + item, share));
        }
        held.goOn();
        assertThat(get(busy)).isEqualTo("held");
        return calls;
    }

    private ServerLanes lanes(int most) {
        return lanes(most, database);
    }

    private ServerLanes lanes(int most, InMemory source) {
        ServerLanes lanes = new ServerLanes("calls", most, new ServerStore(source, Mode.CREATE, TIMEOUT), timeline);
        opened.add(lanes);
        return lanes;
    }

    private static CoordinatorException failureOf(CompletableFuture<?> call) {
        try {
            return failure(call);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static SQLException broken() {
        return new SQLException("it broke", "08006", 90067);
    }

    private static SQLException refused() {
        return new SQLException("not now", "40001", 40001);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Work that goes on when the test says so. */
    private static final class Held implements ServerWork<String> {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);

        @Override
        public String in(ServerSession session) {
            return in();
        }

        String in() {
            begun.countDown();
            awaitUninterruptibly(mayGoOn);
            return "held";
        }

        void awaitBegun() throws InterruptedException {
            assertThat(begun.await(20, TimeUnit.SECONDS)).isTrue();
        }

        void goOn() {
            mayGoOn.countDown();
        }
    }

    /** A statement of several calls, each by its number. */
    private static final class Joint implements Share.Joint<Integer, String> {
        private final List<List<Integer>> asked = new CopyOnWriteArrayList<>();
        private final Does does;

        Joint(Does does) {
            this.does = does;
        }

        interface Does {
            Map<Integer, String> with(List<Integer> items) throws SQLException;
        }

        @Override
        public Map<Integer, String> together(ServerSession session, List<Integer> items) throws SQLException {
            asked.add(List.copyOf(items));
            return does.with(items);
        }
    }
}
