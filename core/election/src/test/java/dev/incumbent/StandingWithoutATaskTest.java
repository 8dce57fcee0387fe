package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.coordinator.memory.Wire;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import dev.incumbent.time.Timeline;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;

/** Candidacies that are asked, over the reference coordinator, on real threads and real time. */
@Tag("patient")
@Timeout(60)
class StandingWithoutATaskTest {
    private static final ElectionName JOB = new ElectionName("job");

    private final SystemTimeline time = new SystemTimeline();
    private final Timing timing;
    private final MemoryStore store = new MemoryStore(time);
    private final dev.incumbent.fence.memory.MemoryStore ledger =
            new dev.incumbent.fence.memory.MemoryStore(new SinkId("ledger"));
    private final Heard heard = new Heard();

    StandingWithoutATaskTest(TestInfo test) {
        timing = TestTiming.of(test);
    }

    @AfterEach
    void closeTime() {
        time.close();
    }

    @Test
    void whoeverAsksLeadsAndNoThreadIsAnyElectionsOwn() {
        try (Elections a = elections("a")) {
            List<Candidacy> candidacies = new ArrayList<>();
            leading(a.election("first").campaign());
            int before = Thread.activeCount();
            for (int i = 0; i < 200; i++) {
                candidacies.add(a.election("job/" + i).campaign());
            }
            await("all lead", () -> candidacies.stream().allMatch(StandingWithoutATaskTest::leads));

            assertThat(Thread.activeCount()).isLessThan(before + 20);
            assertThat(candidacies)
                    .extracting(one -> one.leadership().orElseThrow().token())
                    .containsOnly(new FencingToken(1));
        }
    }

    @Test
    @Tag("realtime")
    void aTermIsNotOverForWantOfATask() {
        try (Elections a = elections("a")) {
            Candidacy candidacy = a.election("job").guarding(sink()).campaign();
            Leadership one = leading(candidacy);
            long from = time.nanos();
            await("a lease and a half has passed", () -> {
                assertThat(candidacy.leadership()).contains(one);
                return time.nanos() - from > timing.lease().toNanos() * 3 / 2;
            });

            assertThat(one.token()).isEqualTo(new FencingToken(1));
            assertThat(one.ended().toCompletableFuture()).isNotDone();
        }
    }

    @Test
    void theFirstQuestionAfterAPauseIsToldTheTruth() {
        Pausing clocks = new Pausing(time);
        try (Elections a = Elections.over(MemoryCoordinator.connect(store, time, timing.requestTimeout()))
                .timing(timing)
                .timeline(clocks)
                .open()) {
            Candidacy candidacy = a.election("job").campaign();
            Leadership one = leading(candidacy);

            clocks.pausedFor(timing.lease().multipliedBy(2));

            assertThat(candidacy.leadership()).isEmpty();
            assertThat(one.holds()).isFalse();
            assertThatThrownBy(one::check).isInstanceOf(LeadershipLostException.class);
        }
    }

    @Test
    @Tag("realtime")
    void aLeaderThatIsCutOffSaysNoBeforeAnotherLeadsAndStandsAgainWhenHealed() throws Exception {
        AtomicBoolean cut = new AtomicBoolean();
        Elections a = Elections.over(MemoryCoordinator.connect(store, cutBy(cut), time, timing.requestTimeout()))
                .name("a")
                .timing(timing)
                .timeline(time)
                .open();

        try (a;
                Elections b = elections("b")) {
            Candidacy first = a.election("job").guarding(sink()).campaign();
            Leadership one = leading(first);
            Candidacy second = b.election("job").guarding(sink()).campaign();
            cut.set(true);
            await("b leads", () -> {
                boolean bLeads = leads(second);
                assertThat(bLeads && leads(first)).as("both lead").isFalse();
                return bLeads;
            });
            Leadership two = leading(second);

            assertThat(one.holds()).isFalse();
            assertThat(one.ended().toCompletableFuture().get(1, TimeUnit.SECONDS))
                    .isEqualTo(EndReason.LEASE_LOST);
            assertThat(first.health().stalled()).isFalse();
            assertThat(writeRefused(one.token())).isTrue();
            ledger.write(JOB, two.token(), "by the successor");

            cut.set(false);
            second.close();
            assertThat(leading(first).token()).isGreaterThan(two.token());
        }
    }

    @Test
    void whoResignsSaysNoBeforeTheNextBegins() throws Exception {
        BlockingQueue<Boolean> oneHeld = new LinkedBlockingQueue<>();

        try (Elections a = elections("a");
                Elections b = elections("b")) {
            Candidacy first = a.election("job").guarding(sink()).campaign();
            Leadership one = leading(first);
            Candidacy second = b.election("job").guarding(sink()).campaign(leadership -> oneHeld.add(one.holds()));
            await("b is enlisted", () -> second.health().enlisted());
            first.resign().toCompletableFuture().get(5, TimeUnit.SECONDS);

            assertThat(one.holds()).isFalse();
            assertThat(one.ended().toCompletableFuture().get(10, TimeUnit.SECONDS))
                    .isEqualTo(EndReason.RESIGNED);
            assertThat(oneHeld.poll(30, TimeUnit.SECONDS)).isFalse();
        }
    }

    @Test
    void aTransferNeedNotWaitForAnything() throws Exception {
        try (Elections a = elections("a");
                Elections b = elections("b");
                Elections c = elections("c")) {
            Candidacy first = a.election("job").campaign(heard);
            Leadership one = leading(first);
            Candidacy second = b.election("job").campaign();
            await("b is enlisted", () -> second.health().enlisted());
            Candidacy third = c.election("job").campaign();
            await("c is enlisted", () -> third.health().enlisted());

            Transfer transfer =
                    first.transferTo(c.candidate().id()).toCompletableFuture().get(5, TimeUnit.SECONDS);

            assertThat(transfer).isInstanceOf(Transfer.HandedOver.class);
            assertThat(one.holds()).isFalse();
            assertThat(leading(third).term().number()).isEqualTo(2);
            assertThat(second.leadership()).isEmpty();
            assertThat(heard.next()).isEqualTo("1 begun");
            assertThat(heard.next()).isEqualTo("1 TRANSFERRED");
        }
    }

    @Test
    void closingReleasesAtOnceAndAListenerHasHeardItByThen() {
        try (Elections a = elections("a");
                Elections b = elections("b")) {
            Candidacy first = a.election("job").campaign(heard);
            Leadership one = leading(first);
            assertThat(heard.next()).isEqualTo("1 begun");

            first.close();
            long from = time.nanos();
            leading(b.election("job").campaign());

            assertThat(heard.soFar()).containsExactly("1 CLOSED");
            assertThat(one.holds()).isFalse();
            assertThat(time.nanos() - from).isLessThan(timing.lease().toNanos() / 2);
        }
    }

    @Test
    void closingAllElectionsEndsEachOfThem() {
        List<Heard> ears = new ArrayList<>();
        try (Elections a = elections("a")) {
            for (int i = 0; i < 50; i++) {
                Heard ear = new Heard();
                ears.add(ear);
                a.election("job/" + i).campaign(ear);
            }
            ears.forEach(ear -> assertThat(ear.next()).isEqualTo("1 begun"));
        }

        ears.forEach(ear -> assertThat(ear.soFar()).containsExactly("1 CLOSED"));
        try (Elections b = elections("b")) {
            assertThat(leading(b.election("job/49").campaign()).token()).isEqualTo(new FencingToken(2));
        }
    }

    @Test
    @Tag("realtime")
    void aListenerThatThrowsEndsItsTermAndNoOther() throws Exception {
        TermListener broken = new Silent() {
            @Override
            public void onGranted(Leadership leadership) throws Exception {
                heard.onGranted(leadership);
                throw new IllegalStateException("broken listener");
            }

            @Override
            public void onRevoked(Leadership leadership, EndReason reason) {
                heard.onRevoked(leadership, reason);
                throw new IllegalStateException("broken here too");
            }
        };

        try (Elections a = elections("a")) {
            Candidacy other = a.election("other").campaign(new Silent());
            Leadership others = leading(other);
            Candidacy candidacy = a.election("job").campaign(broken);

            assertThat(List.of(heard.next(), heard.next(), heard.next(), heard.next()))
                    .containsExactly("1 begun", "1 TASK_FAILED", "2 begun", "2 TASK_FAILED");
            assertThat(candidacy.health().trouble())
                    .hasValueSatisfying(
                            trouble -> assertThat(trouble).contains("the listener of", "term 2", "broken listener"));
            assertThat(other.leadership()).contains(others);
        }
    }

    @Test
    @Tag("realtime")
    void aStaleTokenThatLeavesAListenerSupersedesItsTerm() {
        TermListener refused = new Silent() {
            @Override
            public void onGranted(Leadership leadership) throws Exception {
                heard.onGranted(leadership);
                if (leadership.token().value() == 1) {
                    throw new StaleTokenException(JOB, leadership.token(), "7 of another");
                }
            }

            @Override
            public void onRevoked(Leadership leadership, EndReason reason) {
                heard.onRevoked(leadership, reason);
            }
        };

        try (Elections a = elections("a")) {
            a.election("job").campaign(refused);

            assertThat(heard.next()).isEqualTo("1 begun");
            assertThat(heard.next()).isEqualTo("1 SUPERSEDED");
            assertThat(heard.next()).isEqualTo("2 begun");
        }
    }

    @Test
    @Tag("realtime")
    void beginAndEndAreToldInPairsAndInOrderWhateverHappensMeanwhile() throws Exception {
        try (Elections a = elections("a")) {
            Candidacy candidacy = a.election("job").campaign(heard);
            for (int i = 0; i < 20; i++) {
                leading(candidacy);
                CompletionStage<Void> resigned = candidacy.resign();
                if (i % 4 == 0) {
                    candidacy.setHealthy(false);
                    candidacy.setHealthy(true);
                }
                resigned.toCompletableFuture().get(5, TimeUnit.SECONDS);
            }
        }

        List<String> all = heard.soFar();
        assertThat(all).hasSizeGreaterThanOrEqualTo(40);
        for (int i = 0; i + 1 < all.size(); i += 2) {
            String term = all.get(i).split(" ", -1)[0];
            assertThat(all.get(i)).isEqualTo(term + " begun");
            assertThat(all.get(i + 1)).startsWith(term + " ").isNotEqualTo(term + " begun");
        }
        assertThat(all.size() % 2).isZero();
    }

    @Test
    void aListenerMayCloseItsOwnCandidacy() {
        BlockingQueue<Candidacy> own = new LinkedBlockingQueue<>();
        TermListener closing = new Silent() {
            @Override
            public void onGranted(Leadership leadership) throws Exception {
                own.take().close();
            }

            @Override
            public void onRevoked(Leadership leadership, EndReason reason) {
                heard.onRevoked(leadership, reason);
            }
        };

        try (Elections a = elections("a")) {
            own.add(a.election("job").campaign(closing));

            assertThat(heard.next()).isEqualTo("1 CLOSED");
        }
    }

    private boolean writeRefused(FencingToken token) throws Exception {
        try {
            ledger.write(JOB, token, "late");
            return false;
        } catch (StaleTokenException refused) {
            return true;
        }
    }

    private Elections elections(String name) {
        return Elections.over(MemoryCoordinator.connect(store, time, timing.requestTimeout()))
                .name(name)
                .timing(timing)
                .timeline(time)
                .open();
    }

    private MemorySink sink() {
        return new MemorySink(ledger, time, Duration.ofSeconds(1));
    }

    private static Wire cutBy(AtomicBoolean cut) {
        return new Wire() {
            @Override
            public void toStore(Runnable arrival) {
                if (!cut.get()) {
                    arrival.run();
                }
            }

            @Override
            public void toClient(Runnable arrival) {
                if (!cut.get()) {
                    arrival.run();
                }
            }
        };
    }

    private static boolean leads(Candidacy candidacy) {
        return candidacy.leadership().isPresent();
    }

    private static Leadership leading(Candidacy candidacy) {
        await("a leadership", () -> leads(candidacy));
        return candidacy.leadership().orElseThrow();
    }

    private static void await(String what, BooleanSupplier come) {
        for (int i = 0; i < 20_000; i++) {
            if (come.getAsBoolean()) {
                return;
            }
            LockSupport.parkNanos(1_000_000);
        }
        throw new AssertionError(what + ": not within 20 s");
    }

    /** Hears nothing. */
    private static class Silent implements TermListener {
        @Override
        public void onGranted(Leadership leadership) throws Exception {}

        @Override
        public void onRevoked(Leadership leadership, EndReason reason) {}
    }

    /** Writes down what it hears. */
    private static final class Heard implements TermListener {
        private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

        @Override
        public void onGranted(Leadership leadership) {
            lines.add(leadership.token() + " begun");
        }

        @Override
        public void onRevoked(Leadership leadership, EndReason reason) {
            assertThat(leadership.holds()).isFalse();
            lines.add(leadership.token() + " " + reason);
        }

        String next() {
            try {
                return Objects.requireNonNullElse(lines.poll(20, TimeUnit.SECONDS), "nothing within 20 s");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        List<String> soFar() {
            List<String> all = new ArrayList<>();
            lines.drainTo(all);
            return all;
        }
    }

    /** The system's clocks, as they are after pauses during which nothing of this process ran. */
    private static final class Pausing implements Timeline {
        private final Timeline whole;
        private final AtomicLong paused = new AtomicLong();

        Pausing(Timeline whole) {
            this.whole = whole;
        }

        void pausedFor(Duration length) {
            paused.addAndGet(length.toNanos());
        }

        @Override
        public long nanos() {
            return whole.nanos() + paused.get();
        }

        @Override
        public long wallMillis() {
            return whole.wallMillis() + TimeUnit.NANOSECONDS.toMillis(paused.get());
        }

        @Override
        public OptionalLong bootNanos() {
            OptionalLong boot = whole.bootNanos();
            return boot.isPresent() ? OptionalLong.of(boot.getAsLong() + paused.get()) : boot;
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return whole.at(nanos - paused.get(), task);
        }
    }
}
