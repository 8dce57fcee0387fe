package dev.incumbent.junit;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.incumbent.LeaderTask;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.model.FencingToken;
import dev.incumbent.model.SinkId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;

/** What each verb of a world does. */
class WorldTest {
    private static final Duration LONG = ofSeconds(60);

    /** Two candidates that sleep, and so lead until something happens to them. */
    private static String twoCandidates(World world) {
        world.candidate("a", sleeper(world));
        world.candidate("b", sleeper(world));
        return world.awaitLeader();
    }

    private static LeaderTask sleeper(World world) {
        return leadership -> {
            while (leadership.holds()) {
                world.sleep(ofSeconds(1));
            }
        };
    }

    private static String other(String name) {
        return name.equals("a") ? "b" : "a";
    }

    @IncumbentTest
    void oneOfTwoLeadsAndTimePassesAsTold(World world) {
        String first = twoCandidates(world);
        Duration before = world.elapsed();

        world.runFor(ofMinutes(10));

        assertThat(world.elapsed()).isEqualTo(before.plus(ofMinutes(10)));
        assertThat(world.leader()).contains(first);
        assertThat(world.story()).filteredOn(line -> line.contains(" leads, ")).hasSize(1);
    }

    @IncumbentTest
    void aPausedLeaderIsSucceededAndIsToldToStopWhenItWakes(World world) {
        String first = twoCandidates(world);

        world.pauseLeader(LONG);
        world.runFor(ofSeconds(50));

        assertThat(world.leader()).contains(other(first));
        assertThat(world.story()).noneMatch(line -> line.contains(first + " is told to stop"));
        world.runFor(ofSeconds(15));
        assertThat(world.story()).anyMatch(line -> line.contains("the task of " + first));
        assertThat(world.leader()).contains(other(first));
    }

    @IncumbentTest
    void aShortPauseChangesNothing(World world) {
        String first = twoCandidates(world);

        world.pause(first, ofSeconds(3));
        world.runFor(LONG);

        assertThat(world.leader()).contains(first);
        assertThat(world.story()).filteredOn(line -> line.contains(" leads, ")).hasSize(1);
    }

    @IncumbentTest
    void aLeaderThatIsPausedAfterItsCheckWritesLate(World world) {
        VirtualStore<List<String>> journal = world.store("journal", new ArrayList<>());
        world.candidate("a", Journals.unfenced(world, journal));
        world.candidate("b", Journals.unfenced(world, journal));
        world.awaitLeader();

        world.pauseLeaderAfterItsNextCheck(LONG);
        world.runFor(ofSeconds(90));

        assertThatThrownBy(world::assertNoStaleWrites)
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("of term 1, after it had served");
        assertThat(world.story()).anyMatch(line -> line.contains("for 60.000 s, after its guard said yes"));
    }

    @IncumbentTest
    void theSameLateWriteIsRefusedByTheFence(World world) {
        VirtualStore<List<String>> journal = world.fencedStore("journal", new ArrayList<>());
        world.candidate("a", Journals.fenced(world, journal));
        world.candidate("b", Journals.fenced(world, journal));
        world.awaitLeader();

        world.pauseLeaderAfterItsNextCheck(LONG);
        world.runFor(ofSeconds(90));

        world.assertNoStaleWrites();
        assertThat(world.story()).anyMatch(line -> line.contains("journal refuses") && line.contains("stale token 1"));
    }

    @IncumbentTest
    void aKilledLeaderIsSucceededAndComesBackWhenItIsStarted(World world) {
        String first = twoCandidates(world);

        world.kill(first);
        assertThat(world.leader()).isEmpty();
        world.runFor(LONG);

        assertThat(world.leader()).contains(other(first));
        world.kill(other(first));
        world.runFor(LONG);
        assertThat(world.leader()).isEmpty();
        world.restart(first);
        assertThat(world.awaitLeader()).isEqualTo(first);
    }

    @IncumbentTest
    void aLeaderThatIsCutOffFromTheCoordinatorStopsBeforeItsSuccessorBeginsAndReachesItsStore(World world) {
        List<String> lines = new ArrayList<>();
        VirtualStore<List<String>> journal = world.store("journal", lines);
        world.candidate("a", Journals.unfenced(world, journal));
        world.candidate("b", Journals.unfenced(world, journal));
        String first = world.awaitLeader();

        world.partition(first, LONG);
        int before = lines.size();
        world.runFor(ofSeconds(6));

        assertThat(lines.size()).isGreaterThan(before);
        world.runFor(ofSeconds(40));
        assertThat(world.leader()).contains(other(first));
        world.assertNoStaleWrites();
        List<String> story = world.story();
        assertThat(indexOf(story, "the task of " + first)).isLessThan(indexOf(story, other(first) + " leads"));
    }

    private static int indexOf(List<String> story, String what) {
        for (int i = 0; i < story.size(); i++) {
            if (story.get(i).contains(what)) {
                return i;
            }
        }
        throw new AssertionError(what + " is not in " + story);
    }

    @IncumbentTest
    void anIsolatedLeaderHasNoAnswerFromItsStoreWithinHalfALease(World world) {
        VirtualStore<List<String>> journal = world.store("journal", new ArrayList<>());
        List<Duration> waited = new ArrayList<>();
        world.candidate("a", leadership -> {
            world.sleep(ofSeconds(5));
            Instant before = world.clock().instant();
            try {
                journal.write(lines -> lines.add("a line"));
            } catch (NoAnswerException silence) {
                waited.add(Duration.between(before, world.clock().instant()));
                throw silence;
            }
        });
        world.awaitLeader();

        world.isolate("a", LONG);
        world.runFor(ofSeconds(14));

        assertThat(waited).hasSize(1);
        assertThat(waited.get(0)).isCloseTo(ofMillis(7_500), ofMillis(10));
        world.runFor(ofMinutes(3));
        assertThat(journal.<Integer, RuntimeException>read(List::size)).isPositive();
    }

    @IncumbentTest
    void aWallClockIsSetAndTheLeaseDoesNotMind(World world) {
        List<Instant> shown = new ArrayList<>();
        world.candidate("a", leadership -> {
            while (leadership.holds()) {
                shown.add(world.clock().instant());
                world.sleep(ofSeconds(1));
            }
        });
        world.awaitLeader();

        world.runFor(ofSeconds(10));
        Instant before = shown.get(shown.size() - 1);
        world.stepClock("a", ofMinutes(-90));
        world.runFor(ofSeconds(1));

        assertThat(shown.get(shown.size() - 1)).isCloseTo(before.minus(ofMinutes(90)), within(ofSeconds(2)));
        world.stepClock("a", ofMinutes(200));
        world.runFor(LONG);
        assertThat(shown.get(shown.size() - 1)).isAfter(before.plus(ofMinutes(110)));
        assertThat(world.story()).filteredOn(line -> line.contains(" leads, ")).hasSize(1);
    }

    @IncumbentTest
    void healingEndsAPauseAndACut(World world) {
        String first = twoCandidates(world);
        world.kill(other(first));
        world.pause(first, Duration.ofHours(10));
        world.runFor(ofMinutes(5));
        assertThat(world.leader()).isEmpty();

        world.heal();

        assertThat(world.awaitLeader()).isEqualTo(first);
        world.isolate(first, Duration.ofHours(10));
        world.runFor(ofMinutes(5));
        assertThat(world.leader()).isEmpty();
        world.heal();
        assertThat(world.awaitLeader()).isEqualTo(first);
    }

    @IncumbentTest
    void aShorterLeaseIsSucceededSooner(World world) {
        world.lease(ofSeconds(6));
        String first = twoCandidates(world);

        world.kill(first);
        world.runFor(ofSeconds(10));

        assertThat(world.leader()).contains(other(first));
        assertThatThrownBy(() -> world.lease(ofSeconds(3))).isInstanceOf(IllegalStateException.class);
    }

    @IncumbentTest
    void onlyFaultsOfTheNamedKindsAreInjected(World world) {
        twoCandidates(world);

        world.injectFaults(FaultKind.CLOCK_STEP);
        world.runFor(ofMinutes(20));

        assertThat(world.story()).anyMatch(line -> line.contains("the wall clock of"));
        assertThat(world.story())
                .noneMatch(
                        line -> line.contains("stands still") || line.contains("dies") || line.contains("is cut off"));
    }

    @IncumbentTest
    void anInvariantThatDoesNotHoldFailsTheTestWhenItBreaks(World world) {
        AtomicLong written = new AtomicLong();
        world.candidate("a", leadership -> {
            while (leadership.holds()) {
                written.incrementAndGet();
                world.sleep(ofSeconds(1));
            }
        });
        world.always("fewer than five are written", () -> written.get() < 5);

        assertThatThrownBy(() -> world.runFor(LONG))
                .isInstanceOf(AssertionError.class)
                .hasMessage("this does not always hold: fewer than five are written");
        assertThat(written.get()).isEqualTo(5);
        assertThat(world.elapsed()).isLessThan(LONG);
        assertThatThrownBy(() -> world.runFor(LONG)).hasMessageContaining("fewer than five");
    }

    /** A fence of the user's own: it remembers the greatest token that it has seen. */
    private static final class OwnLedger {
        private final List<String> lines = new ArrayList<>();
        private long greatest;

        void append(String line, FencingToken token) {
            if (token.value() < greatest) {
                throw new IllegalStateException("token " + token + " is below " + greatest);
            }
            greatest = token.value();
            lines.add(line);
        }
    }

    @IncumbentTest
    void aFenceOfTheUsersOwnIsAcquittedToo(World world) {
        OwnLedger ledger = new OwnLedger();
        VirtualStore<OwnLedger> store = world.store("ledger", ledger);
        LeaderTask task = leadership -> {
            while (leadership.holds()) {
                store.write(there -> there.append("a line", leadership.token()));
                world.sleep(ofSeconds(1));
            }
        };
        world.candidate("a", task);
        world.candidate("b", task);
        world.awaitLeader();

        world.pauseLeaderAfterItsNextCheck(LONG);
        world.runFor(ofSeconds(90));

        world.assertNoStaleWrites();
        assertThat(world.story()).anyMatch(line -> line.contains("ledger throws at") && line.contains("is below"));
    }

    @IncumbentTest
    @DisplayName("A sink of the user's own is raised before each task begins")
    void aSinkOfTheUsersOwnIsRaisedBeforeEachTaskBegins(World world) {
        var marks = new dev.incumbent.fence.memory.MemoryStore(new SinkId("own"));
        var sink = new dev.incumbent.fence.memory.MemorySink(marks, new NoAlarms(), ofSeconds(5));
        List<Long> raised = new ArrayList<>();
        VirtualStore<dev.incumbent.fence.memory.MemoryStore> store = world.store("own", marks);
        world.guarding(sink);
        LeaderTask task = leadership -> {
            marks.marks().values().forEach(mark -> raised.add(mark.token().value()));
            while (leadership.holds()) {
                store.<Exception>write(
                        there -> there.write(leadership.term().election(), leadership.token(), "a line"));
                world.sleep(ofSeconds(1));
            }
        };
        world.candidate("a", task);
        world.candidate("b", task);
        world.awaitLeader();

        world.pauseLeaderAfterItsNextCheck(LONG);
        world.runFor(ofSeconds(90));

        assertThat(raised).startsWith(1L, 2L);
        world.assertNoStaleWrites();
        assertThat(world.story()).anyMatch(line -> line.contains("own refuses"));
    }

    @IncumbentTest
    void whatIsThrownAtAStoreIsThrownToTheTask(World world) {
        VirtualStore<List<String>> journal = world.fencedStore("journal", new ArrayList<>());
        List<Throwable> caught = new ArrayList<>();
        world.candidate("a", leadership -> {
            try {
                journal.write(new FencingToken(leadership.token().value() + 7), lines -> lines.add("a line"));
            } catch (Exception refused) {
                caught.add(refused);
            }
            try {
                journal.write(lines -> {
                    throw new java.io.IOException("a disk is full");
                });
            } catch (java.io.IOException full) {
                caught.add(full);
            }
            world.sleep(ofMinutes(5));
        });

        world.runFor(ofSeconds(30));

        assertThat(caught).hasSize(2);
        assertThat(caught.get(0))
                .isNotInstanceOf(StaleTokenException.class)
                .hasMessageContaining("was not raised here");
        assertThat(caught.get(1)).hasMessage("a disk is full");
        assertThat(journal.<Integer, RuntimeException>read(List::size)).isZero();
    }

    @IncumbentTest
    void whoIsNotThereCannotBeStruck(World world) {
        assertThatThrownBy(() -> world.pauseLeader(LONG)).hasMessageStartingWith("nobody leads");
        assertThatThrownBy(() -> world.kill("c")).hasMessage("there is no candidate c, only []");
        assertThatThrownBy(world::injectFaults).isInstanceOf(IllegalStateException.class);
        world.candidate("a", leadership -> {});
        assertThatThrownBy(() -> world.candidate("a", leadership -> {})).hasMessage("there is a candidate a already");
        assertThatThrownBy(() -> world.fencedStore("late", new ArrayList<>()))
                .hasMessage("a fenced store is added before the first candidate is added");
        VirtualStore<List<String>> unfenced = world.store("unfenced", new ArrayList<>());
        assertThatThrownBy(() -> unfenced.write(new FencingToken(1), lines -> {}))
                .hasMessageContaining("has no fence");
    }

    /** For a sink that answers at once. */
    private static final class NoAlarms implements dev.incumbent.time.Timeline {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public long wallMillis() {
            return 0;
        }

        @Override
        public java.util.OptionalLong bootNanos() {
            return java.util.OptionalLong.empty();
        }

        @Override
        public Alarm at(long nanos, Runnable task) {
            return () -> {};
        }
    }
}
