package dev.incumbent.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.cli.frame.Answers;
import dev.incumbent.cli.frame.At;
import dev.incumbent.cli.frame.MemberFlags;
import dev.incumbent.cli.frame.Screen;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.Capabilities;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.Enlisted;
import dev.incumbent.model.Freeze;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who stands in the way of {@code -n}, on a coordinator that tells a lease's death, and on one where each process has to watch. */
@Tag("realtime")
final class OccupancyTest {
    private static final ElectionName JOB = new ElectionName("job");
    private static final Duration LEASE = Duration.ofMillis(600);
    private static final Duration LONG = Duration.ofSeconds(60);

    private final SystemTimeline timeline = new SystemTimeline();
    private final Coordinator coordinator =
            MemoryCoordinator.connect(new MemoryStore(timeline), timeline, Duration.ofSeconds(1));
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Stage stage = new Stage(Duration.ofMillis(100));

    @AfterEach
    void end() {
        coordinator.close();
        timeline.close();
    }

    @Test
    void aLiveLeaderIsToldAtOnce() throws InterruptedException {
        claim(stand("a", LONG), LONG);

        assertThat(asked(coordinator)).hasValue(Ending.notAcquired(75));
        assertThat(said.toString(StandardCharsets.UTF_8)).isEqualTo("incumbent: job: not acquired: a leads, token 1\n");
    }

    @Test
    void aDeadLeaderIsInNobodysWay() throws InterruptedException {
        LeaseId lease = stand("a", LONG);
        claim(lease, LONG);
        Answers.await(coordinator.revoke(lease));

        assertThat(asked(coordinator)).isEmpty();
    }

    @Test
    void whoWaitsGoesFirst() throws InterruptedException {
        stand("b", LONG);

        assertThat(asked(coordinator)).hasValue(Ending.notAcquired(75));
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("b waits already");
    }

    @Test
    void aFrozenElectionIsToldAtOnceOnEveryCoordinator() throws InterruptedException {
        write(LeaderRecord.EMPTY.withFreeze(Optional.of(new Freeze("ada", "why", Instant.EPOCH, 1))));

        assertThat(asked(watched())).hasValue(Ending.notAcquired(75));
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("it is frozen");
    }

    @Test
    void whereEachWatchesADeadLeaderIsWatchedUntilItsDeathIsKnown() throws InterruptedException {
        LeaseId lease = stand("a", LONG);
        claim(lease, LEASE);
        Answers.await(coordinator.revoke(lease));
        long begun = timeline.nanos();

        assertThat(asked(watched())).isEmpty();
        assertThat(timeline.nanos() - begun).isGreaterThanOrEqualTo(LEASE.toNanos());
    }

    /** On Consul a lease whose session has ended is told alive until each process has watched it, and nobody else is. */
    @Test
    void aLeaseOfWhichNothingIsLeftIsWatchedUntilItsDeathIsKnown() throws InterruptedException {
        LeaseId lease = stand("a", LONG);
        claim(lease, LEASE);
        Answers.await(coordinator.revoke(lease));
        long begun = timeline.nanos();
        long end = begun + LEASE.toNanos();

        assertThat(asked(over((method, arguments) -> {
                    Object told = told(method, arguments);
                    boolean isWatched = method.getName().equals("read") && timeline.nanos() < end;
                    return isWatched
                            ? ((CompletionStage<?>) told).thenApply(it -> alive(it, Optional.of(Duration.ZERO)))
                            : told;
                })))
                .isEmpty();
        assertThat(timeline.nanos() - begun).isBetween(LEASE.toNanos(), LONG.toNanos());
    }

    @Test
    void whereEachWatchesALeaderToldAliveForLongerThanItsLeaseLeads() throws InterruptedException {
        claim(stand("a", LONG), LEASE);
        long begun = timeline.nanos();

        assertThat(asked(watched())).hasValue(Ending.notAcquired(75));
        assertThat(timeline.nanos() - begun).isGreaterThanOrEqualTo(LEASE.toNanos());
    }

    @Test
    void whereEachWatchesADeadCandidateBlocksNobody() throws InterruptedException {
        LeaseId lease = stand("b", LONG);
        Coordinator watched = watched();
        Answers.await(coordinator.revoke(lease));

        assertThat(asked(watched)).isEmpty();
    }

    @Test
    void whereEachWatchesWhoComesMeanwhileIsAlive() throws InterruptedException {
        LeaseId lease = stand("a", LONG);
        claim(lease, LONG);
        Answers.await(coordinator.revoke(lease));
        Coordinator watched = watched(LONG);
        long begun = timeline.nanos();
        timeline.at(begun + LEASE.toNanos(), () -> stand("b", LONG));

        assertThat(asked(watched)).hasValue(Ending.notAcquired(75));
        assertThat(timeline.nanos() - begun).isLessThan(LONG.toNanos());
    }

    @Test
    void whatIsNotAnsweredAtFirstIsAskedAgain() throws InterruptedException {
        AtomicInteger asked = new AtomicInteger();
        Coordinator slow = over((method, arguments) -> {
            if (method.getName().equals("read") && asked.incrementAndGet() < 3) {
                throw new CoordinatorException("no answer", false);
            }
            return told(method, arguments);
        });

        assertThat(asked(slow)).isEmpty();
        assertThat(asked).hasValue(3);
    }

    @Test
    void whoDoesNotAnswerForALeaseIsUnreachable() {
        Coordinator silent = over((method, arguments) -> {
            throw new CoordinatorException("no answer", false);
        });
        long begun = timeline.nanos();

        assertThatThrownBy(() -> asked(silent)).isInstanceOf(CoordinatorException.class);
        assertThat(timeline.nanos() - begun).isBetween(LEASE.toNanos(), 20 * LEASE.toNanos());
    }

    @Test
    void aSignalEndsTheWatching() throws InterruptedException {
        claim(stand("a", LONG), LONG);
        timeline.at(timeline.nanos() + LEASE.toNanos() / 2, () -> stage.endBeforeStart(15));

        assertThat(asked(watched(LONG))).hasValue(Ending.signalled(15));
        assertThat(said.size()).isZero();
    }

    private Optional<Ending> asked(Coordinator over) throws InterruptedException {
        Surroundings around = new Surroundings(
                Map.of(),
                System.in,
                System.out,
                new PrintStream(said, true),
                Screen.NONE,
                timeline,
                List.of(),
                List.of());
        return new Occupancy(around, plan(), stage, over).ending();
    }

    private static Plan plan() {
        return new Plan(
                JOB,
                List.of("true"),
                new At(),
                Timing.ofLease(LEASE, Duration.ofMillis(100), Duration.ZERO),
                Optional.of(Duration.ZERO),
                Duration.ZERO,
                75,
                List.of(),
                Optional.empty(),
                new Who(),
                new MemberFlags(),
                Optional.empty(),
                StopSignal.parse("TERM"),
                false,
                new Hooks(),
                Optional.empty(),
                "",
                false);
    }

    private LeaseId stand(String name, Duration length) {
        CandidateId id = new CandidateId(name);
        LeaseId lease = Answers.await(coordinator.grant(id, length)).id();
        Candidate candidate = new Candidate(id, name, "");
        Answers.await(coordinator.enlist(JOB, new Enlisted(candidate, lease, Instant.EPOCH, Set.of())));
        return lease;
    }

    private void claim(LeaseId lease, Duration told) {
        Candidate leader = new Candidate(new CandidateId("a"), "a", "");
        write(LeaderRecord.EMPTY.claimedBy(1, leader, lease, told, Instant.EPOCH));
    }

    private void write(LeaderRecord record) {
        Answers.await(coordinator.swap(JOB, ObservedRecord.ABSENT.revision(), record.written("n1")));
    }

    private Coordinator watched() {
        return watched(LEASE);
    }

    /** The same store, as one who has to watch each lease for that long tells it: what was there at first lives until then, and what lives on as ever. */
    private Coordinator watched(Duration silence) {
        long end = timeline.nanos() + silence.toNanos();
        Map<ElectionName, List<Enlisted>> first = Answers.await(coordinator.candidates(Set.of(JOB)));
        return over((method, arguments) -> {
            Object told = told(method, arguments);
            boolean isEarly = timeline.nanos() < end;
            return switch (method.getName()) {
                case "capabilities" -> judgedByItsObserver((Capabilities) told);
                case "read" ->
                    isEarly ? ((CompletionStage<?>) told).thenApply(it -> alive(it, Optional.empty())) : told;
                case "candidates" -> isEarly ? ((CompletionStage<?>) told).thenApply(now -> more(now, first)) : told;
                default -> told;
            };
        });
    }

    /** Answers any call of a coordinator's. */
    private interface Answering {
        Object answer(Method method, Object[] arguments) throws Throwable;
    }

    private static Coordinator over(Answering answering) {
        return (Coordinator) Proxy.newProxyInstance(
                Coordinator.class.getClassLoader(),
                new Class<?>[] {Coordinator.class},
                (self, method, arguments) -> answering.answer(method, arguments));
    }

    private Object told(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(coordinator, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Capabilities judgedByItsObserver(Capabilities can) {
        return new Capabilities(
                can.leaseFloor(),
                can.leaseGranularity(),
                can.expiryLag(),
                can.pushesChanges(),
                can.provesCurrency(),
                Capabilities.ExpiryClock.OBSERVER,
                can.consistency());
    }

    private static Object alive(Object readings, Optional<Duration> left) {
        if (((Map<?, ?>) readings).get(JOB) instanceof Reading.Found found
                && found.record().record().leader().isPresent()) {
            ObservedRecord record = found.record();
            ObservedRecord alive = new ObservedRecord(record.record(), record.revision(), true, left);
            return Map.of(JOB, new Reading.Found(alive));
        }
        return readings;
    }

    private static Object more(Object now, Map<ElectionName, List<Enlisted>> first) {
        return List.of().equals(((Map<?, ?>) now).get(JOB)) ? first : now;
    }
}
