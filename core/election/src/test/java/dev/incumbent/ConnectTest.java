package dev.incumbent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.CoordinatorUnusableException;
import dev.incumbent.model.Term;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Elections are connected by a URI, own what they opened, and close it after the last request. */
@Tag("patient")
class ConnectTest {
    private static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(4));
    private static final Set<String> CLOCKS = Set.of("incumbent-stops", "incumbent-alarms");

    /** The notes are the class's: a test that runs twice in one JVM, as PIT runs it, must not find those of its first run. */
    @BeforeEach
    void forgetTheNotes() {
        MemoryProvider.NOTES.clear();
    }

    @Test
    void whatAUriNamesIsOpenedWithTheTimingsBoundAndClosedOnceAfterTheLeaseIsRevoked() throws Exception {
        BlockingQueue<Leadership> led = new LinkedBlockingQueue<>();
        Elections elections = Elections.connect("memory:a").timing(TIMING).open();
        elections.election("job").campaign(led::add);
        assertThat(led.poll(10, TimeUnit.SECONDS)).isNotNull();
        assertThat(notes("memory:a")).containsExactly("open memory:a 500 ms CREATE");

        elections.close();
        elections.close();
        elections.closeAsync().toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThat(notes("memory:a"))
                .containsExactly("open memory:a 500 ms CREATE", "revoke memory:a", "close memory:a");
    }

    @Test
    void itIsClosedBeforeItsStageCompletes() throws Exception {
        Elections elections = Elections.connect("memory:b").open();

        Set<Term> running = elections.closeAsync().toCompletableFuture().get(10, TimeUnit.SECONDS);

        assertThat(running).isEmpty();
        assertThat(notes("memory:b")).last().isEqualTo("close memory:b");
    }

    @Test
    void whatASourceOpensIsClosedToo() {
        MemoryProvider provider = new MemoryProvider();

        Elections.connect((clocks, bound) -> provider.open("memory:d", clocks, bound, Mode.CREATE))
                .timing(TIMING)
                .open()
                .close();

        assertThat(notes("memory:d")).first().isEqualTo("open memory:d 500 ms CREATE");
        assertThat(notes("memory:d")).last().isEqualTo("close memory:d");
    }

    @Test
    void whereBeatsCannotBeOpenedTheCoordinatorIsClosedAndNoThreadStays() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        assertThatThrownBy(() -> Elections.connect("memory:e")
                        .beats(me -> {
                            throw new IllegalStateException("beats cannot listen at h1:7400");
                        })
                        .open())
                .hasMessage("beats cannot listen at h1:7400");

        assertThat(notes("memory:e")).last().isEqualTo("close memory:e");
        assertNoClockStays(before);
    }

    @Test
    void aCoordinatorOfTheCallersStaysOpen() {
        try (SystemTimeline time = new SystemTimeline();
                Coordinator own = new MemoryProvider().open("memory:c", time, Duration.ofSeconds(1), Mode.CREATE)) {
            Elections.over(own).open().close();

            assertThat(notes("memory:c")).doesNotContain("close memory:c");
        }
    }

    @Test
    void anUnknownSchemeIsToldWithThoseThatAreKnownAndWithoutASecret() {
        assertThatThrownBy(
                        () -> Elections.connect("etdc://ann:geheim@etcd1:2379").open())
                .isInstanceOf(CoordinatorUnusableException.class)
                .hasMessage(
                        "no coordinator on the class path opens a URI that begins with 'etdc:'; known schemes are memory");
        assertThatThrownBy(() -> Elections.connect("memoryx:a").open())
                .isInstanceOf(CoordinatorUnusableException.class);
    }

    @Test
    void whereItCannotBeOpenedNoThreadStays() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();

        assertThatThrownBy(() -> Elections.connect("memory:broken").open()).hasMessage("it is broken");

        assertNoClockStays(before);
    }

    private static void assertNoClockStays(Set<Thread> before) throws InterruptedException {
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (!before.contains(thread) && CLOCKS.contains(thread.getName())) {
                thread.join(10_000);
                assertThat(thread.isAlive()).as(thread.getName()).isFalse();
            }
        }
    }

    private static List<String> notes(String of) {
        return MemoryProvider.NOTES.stream().filter(note -> note.contains(of)).toList();
    }
}
