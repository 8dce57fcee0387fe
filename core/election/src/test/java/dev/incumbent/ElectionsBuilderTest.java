package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Candidate;
import dev.incumbent.model.CandidateRank;
import dev.incumbent.model.Term;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Elections are opened as they are told, and with what fits where nothing is told. */
class ElectionsBuilderTest {
    private final SystemTimeline time = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(time);
    private final MemoryCoordinator coordinator = MemoryCoordinator.connect(store, time, Duration.ofSeconds(2));

    @AfterEach
    void closeTime() {
        time.close();
    }

    @Test
    void whereNoKernelTellsTheHostANameServiceDoesOrItIsLocalhost() {
        assertThat(Elections.Builder.host(Path.of("no-such-kernel"))).isNotBlank();
    }

    @Test
    void aCandidateIsKnownByItsNameAndAddressAndNoTwoAreOne() throws Exception {
        try (Elections one =
                        Elections.over(coordinator).name("a").address("a:80").open();
                Elections other = Elections.over(coordinator).name("a").open()) {
            Candidate me = one.candidate();

            assertThat(me.name()).isEqualTo("a");
            assertThat(me.address()).isEqualTo("a:80");
            assertThat(other.candidate().address()).isEmpty();
            assertThat(other.candidate().id()).isNotEqualTo(me.id());
            assertThat(me.id().value())
                    .matches("a@" + kernelHostname() + "-"
                            + ProcessHandle.current().pid() + "-[0-9a-f]{12}");
        }
    }

    @Test
    void aCandidateWithoutANameIsKnownByItsHosts() throws Exception {
        try (Elections one = Elections.over(coordinator).open()) {
            assertThat(one.candidate().name()).isEqualTo(kernelHostname());
        }
    }

    @Test
    void theOperatorOfAnElectionSeesWhoLeads() throws Exception {
        BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
        try (Elections one = Elections.over(coordinator).name("a").open()) {
            one.election("job").campaign(begun::add);
            begun.poll(10, TimeUnit.SECONDS);

            ElectionStatus status =
                    one.admin("job").status().toCompletableFuture().get(10, TimeUnit.SECONDS);

            assertThat(status.election().value()).isEqualTo("job");
            assertThat(status.observed().record().term()).isEqualTo(1);
        }
    }

    @Test
    void eachWordOfABuilderGoesOnWithIt() {
        Elections.Builder builder = Elections.over(coordinator);

        assertThat(builder.quiet()).isSameAs(builder);
        assertThat(builder.keepWhileTaskRuns()).isSameAs(builder);
        assertThat(builder.trace(Trace.NONE)).isSameAs(builder);
        assertThat(builder.listener(ElectionListener.NONE)).isSameAs(builder);
        assertThat(builder.executor(Runnable::run)).isSameAs(builder);
        assertThat(builder.address("a:80")).isSameAs(builder);
        assertThat(builder.name("a")).isSameAs(builder);
    }

    @Test
    void aRankIsToldPartByPartOrAtOnce() {
        try (Elections parts = Elections.over(coordinator)
                        .name("a")
                        .priority(-5)
                        .version("1.4.2")
                        .oldestFirst()
                        .zone("us")
                        .preferredZone("eu")
                        .open();
                Elections whole = Elections.over(coordinator)
                        .name("b")
                        .rank(new CandidateRank(-5, "1.4.2", true, "us", "eu"))
                        .open()) {
            assertThat(parts.candidate().rank()).isEqualTo(whole.candidate().rank());
            assertThat(whole.candidate().rank()).isEqualTo(new CandidateRank(-5, "1.4.2", true, "us", "eu"));
        }
    }

    @Test
    void aTermIsMovedAfterALeaseAtTheEarliest() {
        Elections.Builder builder = Elections.over(coordinator).name("a");

        assertThatThrownBy(() -> builder.movesToBetter(Duration.ofSeconds(14)).open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a term is moved after its lease of PT15S at the earliest, not after PT14S");
        builder.movesToBetter(Duration.ofSeconds(15)).open().close();
    }

    @Test
    void aTermIsMovedAfterAYearAtTheLatest() {
        Elections.Builder builder = Elections.over(coordinator).name("a");

        assertThatThrownBy(() ->
                        builder.movesToBetter(ChronoUnit.FOREVER.getDuration()).open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "a term is moved after 366 days at the latest, not after " + ChronoUnit.FOREVER.getDuration());
        assertThatThrownBy(() ->
                        builder.movesToBetter(Duration.ofDays(366).plusNanos(1)).open())
                .hasMessageContaining("after 366 days at the latest");
        builder.movesToBetter(Duration.ofDays(366)).open().close();
    }

    @Test
    void itsOwnClocksEndWithIt() throws Exception {
        BlockingQueue<Leadership> led = new LinkedBlockingQueue<>();
        time.at(time.nanos(), () -> {});
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        Elections one = Elections.over(coordinator).name("a").open();
        one.election("job").campaign(led::add);
        assertThat(led.poll(10, TimeUnit.SECONDS)).isNotNull();
        Set<Thread> begun = clocks(before);
        assertThat(begun.stream().map(Thread::getName)).contains("incumbent-stops", "incumbent-alarms");

        one.close();

        for (Thread thread : begun) {
            thread.join(10_000);
            assertThat(thread.isAlive()).as(thread.getName()).isFalse();
        }
    }

    @Test
    void clocksThatAreGivenAreTheOnlyOnes() {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (Elections one =
                Elections.over(coordinator).name("a").timeline(time).open()) {
            one.election("job").campaign();

            assertThat(clocks(before).stream().map(Thread::getName)).doesNotContain("incumbent-stops");
        }
    }

    @Test
    void tasksRunOnTheExecutorThatIsGivenAndOneThatRefusesEndsTheTermWithThatReason() throws Exception {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        ExecutorService mine = Executors.newSingleThreadExecutor(piece -> new Thread(piece, "mine"));
        try (Elections one = Elections.over(coordinator)
                .name("a")
                .executor(mine)
                .listener(new Failures(told))
                .open()) {
            one.election("job").campaign(led -> told.add(Thread.currentThread().getName()));
            assertThat(told.poll(10, TimeUnit.SECONDS)).isEqualTo("mine");

            mine.shutdown();
            String next = told.poll(10, TimeUnit.SECONDS);
            while ("mine".equals(next)) {
                next = told.poll(10, TimeUnit.SECONDS);
            }
            assertThat(next).contains("the executor refused the task");
        }
    }

    @Test
    void theLogIsAListenerUnlessTheElectionsAreQuiet() {
        assertThat(Elections.over(coordinator).ears().listener()).isNotSameAs(ElectionListener.NONE);
        assertThat(Elections.over(coordinator).quiet().ears().listener()).isSameAs(ElectionListener.NONE);
    }

    private record Failures(BlockingQueue<String> told) implements ElectionListener {
        @Override
        public void onFailed(Term term, Throwable thrown) {
            told.add(String.valueOf(thrown.getMessage()));
        }
    }

    private static Set<Thread> clocks(Set<Thread> before) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().startsWith("incumbent-"))
                .collect(Collectors.toSet());
    }

    private static String kernelHostname() throws Exception {
        return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    }
}
