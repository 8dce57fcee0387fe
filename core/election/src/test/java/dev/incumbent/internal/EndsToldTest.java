package dev.incumbent.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.Candidacy;
import dev.incumbent.ElectionAdmin;
import dev.incumbent.ElectionListener;
import dev.incumbent.LeaderTask;
import dev.incumbent.Leadership;
import dev.incumbent.Trace;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.fence.StaleTokenException;
import dev.incumbent.fence.memory.MemorySink;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.EndReason;
import dev.incumbent.model.PastTerm;
import dev.incumbent.model.SinkId;
import dev.incumbent.model.Term;
import java.text.MessageFormat;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each way a term can end, told by its reason to the listener, the leadership, the log and the record, and told in time by the test's own clock. */
class EndsToldTest {
    private static final LeaderTask TASK = leadership -> {};
    private static final ElectionName JOB = new ElectionName("job");
    private static final Duration LEASE = OneProcess.TIMING.lease();
    private static final Duration AT_ONCE = Duration.ofMillis(10);

    private final OneThread platform = new OneThread();
    private final MemoryStore store = new MemoryStore(platform.time);
    private final List<String> told = new ArrayList<>();
    private final List<String> logged = new ArrayList<>();
    private final OneProcess a = new OneProcess(
            platform, store, "a", new Ears(Trace.NONE, new Listeners(List.of(new Noting(), new Log(new Logger())))));
    private final dev.incumbent.fence.memory.MemoryStore ledger =
            new dev.incumbent.fence.memory.MemoryStore(new SinkId("ledger"));
    private long toldAt;

    /** The least and the most that may pass until the end is told. */
    private record Within(Duration least, Duration most) {
        static final Within AT_ONCE = new Within(Duration.ZERO, EndsToldTest.AT_ONCE);
    }

    @ParameterizedTest
    @EnumSource(EndReason.class)
    void eachWayATermEndsIsToldByItsReasonAndInTime(EndReason reason) {
        Candidacy candidacy = a.election("job").guarding(sink()).campaign(TASK);
        Leadership led = a.led();
        OneThread.Started task = platform.task();
        CompletableFuture<EndReason> ended = led.ended().toCompletableFuture();
        new OneProcess(platform, store, "b", Trace.NONE)
                .election("job")
                .guarding(sink())
                .campaign(TASK);
        platform.pass(OneProcess.TIMING.renewEvery());
        assertThat(told).isEmpty();

        long from = platform.time.nanos();
        Within within = end(reason, candidacy, led, task);
        while (told.isEmpty() && platform.time.nanos() - from <= within.most().toNanos()) {
            platform.pass(Duration.ofMillis(1));
        }
        // A task that does not stop is told to people as what ended its term, and to whoever looks back as stalled.
        EndReason first = reason == EndReason.STALLED ? EndReason.RESIGNED : reason;
        assertThat(told).containsExactly("1 " + first);
        assertThat(Duration.ofNanos(toldAt - from)).isBetween(within.least(), within.most());
        assertThat(ended).isCompletedWithValue(first);
        assertThat(led.holds()).isFalse();
        assertThat(logged).singleElement().asString().contains("no longer leads, token 1: ");

        long stops = platform.time.nanos();
        if (reason == EndReason.STALLED) {
            platform.pass(OneProcess.TIMING.stopLead().plus(AT_ONCE));
            assertThat(candidacy.health().stalled()).isTrue();
        } else {
            task.returns();
        }
        platform.pass(AT_ONCE);
        assertThat(past()).extracting(PastTerm::reason).containsExactly(reason);
        assertThat(Duration.ofNanos(platform.time.nanos() - stops))
                .isLessThan(OneProcess.TIMING.stopLead().plus(AT_ONCE.multipliedBy(3)));
    }

    /** Begins that end; a task returns where only that ends the term. */
    private Within end(EndReason reason, Candidacy candidacy, Leadership led, OneThread.Started task) {
        switch (reason) {
            case RESIGNED, STALLED -> candidacy.resign();
            case TRANSFERRED -> {
                candidacy.transferTo(new CandidateId("b"));
                platform.pass(Duration.ofMillis(2));
                assertThat(task.interrupts).isEqualTo(1);
                task.returns();
            }
            case TASK_FAILED -> task.fails(new IllegalStateException("broken"));
            case LEASE_LOST -> {
                a.answers.put("keepAlive", OneProcess.failing("cut off", true));
                Duration stop = OneProcess.TIMING.stopLead();
                return new Within(
                        LEASE.minus(stop).minus(OneProcess.TIMING.renewEvery()).minus(LEASE.dividedBy(20)),
                        LEASE.minus(stop));
            }
            case SUPERSEDED -> led.reportStale(new StaleTokenException(JOB, led.token(), "7 of another"));
            case FROZEN ->
                ElectionAdmin.over(seer(), platform.time, JOB, "ann@host")
                        .freeze("a test", List.of(), ElectionAdmin.Until.VACANT);
            case UNHEALTHY -> candidacy.setUnhealthy("no disk");
            case CLOSED -> candidacy.closeAsync();
        }
        return Within.AT_ONCE;
    }

    private List<PastTerm> past() {
        Reading reading =
                seer().read(Set.of(JOB)).toCompletableFuture().getNow(Map.of()).get(JOB);
        return reading instanceof Reading.Found found ? found.record().record().history() : List.of();
    }

    private Coordinator seer() {
        return MemoryCoordinator.connect(store, platform.time, OneProcess.CALL);
    }

    private MemorySink sink() {
        return new MemorySink(ledger, platform.time, Duration.ofSeconds(1));
    }

    private final class Noting implements ElectionListener {
        @Override
        public void onRevoked(Term term, EndReason reason) {
            told.add(term.number() + " " + reason);
            toldAt = platform.time.nanos();
        }
    }

    /** Keeps the lines of ends. */
    private final class Logger implements System.Logger {
        @Override
        public String getName() {
            return "lines";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, ResourceBundle bundle, String message, Throwable thrown) {}

        @Override
        public void log(Level level, ResourceBundle bundle, String format, Object... parameters) {
            String line = MessageFormat.format(format, parameters);
            if (line.contains("no longer leads")) {
                logged.add(line);
            }
        }
    }
}
