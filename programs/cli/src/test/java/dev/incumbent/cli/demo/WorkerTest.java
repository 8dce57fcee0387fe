package dev.incumbent.cli.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.cli.demo.Told.Kind;
import dev.incumbent.cli.frame.CommandRun.World;
import dev.incumbent.cli.frame.Screen;
import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.coordinator.memory.MemoryCoordinator;
import dev.incumbent.coordinator.memory.MemoryStore;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the demo's worker tells comes in the order in which it happens, however slowly it is told. */
@Tag("patient")
class WorkerTest {
    private final SystemTimeline timeline = new SystemTimeline();
    private final MemoryStore store = new MemoryStore(timeline);
    private final SlowToStand told = new SlowToStand();

    @Test
    void itStandsBeforeItLeads() throws Exception {
        World world =
                World.of(timeline, "memory", () -> MemoryCoordinator.connect(store, timeline, Duration.ofSeconds(1)));
        Surroundings around = new Surroundings(
                Map.of(Actor.AT, "memory:office", Actor.SINK, "jdbc:sqlite:/nonexistent/ledger.db"),
                // Whose end would end the worker, and with it this JVM.
                new PipedInputStream(new PipedOutputStream()),
                told,
                told,
                Screen.NONE,
                timeline,
                world.coordinators(),
                world.sinks());
        Thread worker = new Thread(() -> {
            try {
                new Worker(around, "billing", Timing.ofLease(Duration.ofMinutes(1)), false).stand("ada");
            } catch (InterruptedException asked) {
                Thread.currentThread().interrupt();
            }
        });
        worker.start();

        assertThat(told.leads.await(30, TimeUnit.SECONDS)).isTrue();
        worker.interrupt();
        worker.join();
        assertThat(told.kinds).startsWith(Kind.STANDS, Kind.LEADS);
        timeline.close();
    }

    /** Tells that the worker stands only once it leads, or after half a second. */
    private static final class SlowToStand extends PrintStream {
        private final List<Kind> kinds = new CopyOnWriteArrayList<>();
        private final CountDownLatch leads = new CountDownLatch(1);

        SlowToStand() {
            super(OutputStream.nullOutputStream(), true, UTF_8);
        }

        @Override
        public void println(String line) {
            Kind kind = Kind.valueOf(line.split(" ", 2)[0].toUpperCase(Locale.ROOT));
            if (kind == Kind.STANDS) {
                awaitLeading();
            }
            kinds.add(kind);
            if (kind == Kind.LEADS) {
                leads.countDown();
            }
        }

        private void awaitLeading() {
            try {
                boolean unused = leads.await(500, TimeUnit.MILLISECONDS);
            } catch (InterruptedException asked) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
