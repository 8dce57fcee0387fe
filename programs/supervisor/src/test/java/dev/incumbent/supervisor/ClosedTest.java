package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A supervisor that is closed, or no longer listened to, ends all below it before it ends. */
@Timeout(90)
final class ClosedTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);
    private static final int MANY = 100;

    private final List<SupervisorEvent> events = new CopyOnWriteArrayList<>();

    /** Of those to whom no mark leads, and no group, and who do not heed TERM. */
    private final String seconds = "1001." + (100_000 + new Random().nextInt(900_000));

    private final String script = "i=0; while [ $i -lt " + MANY + " ]; do (trap '' TERM; exec env -i setsid sleep "
            + seconds + ") & i=$((i + 1)); done; while :; do sleep 1; done";

    private static void vouch(Supervisor supervisor) {
        long now = System.nanoTime();
        supervisor.lease(now, now + LONG, now + LONG);
        supervisor.start();
    }

    /** When the wrapper's clock stood still, or zero. */
    private final AtomicLong stoodStillAt = new AtomicLong();

    private long wrapperNanos() {
        long at = stoodStillAt.get();
        return at == 0 ? System.nanoTime() : at;
    }

    private Supervisor launch(RawCommand command, java.util.function.Consumer<SupervisorEvent> listener)
            throws SupervisorUnavailableException {
        var spec = new LaunchSpec(TestFolder.binary(), command, Map.of(), SignalRelay.TERM, Inherited.NOTHING);
        return Supervisor.launch(spec, this::wrapperNanos, listener);
    }

    private List<ProcessEntry> hidden() {
        return ProcessEntry.allFrom(1).stream().filter(this::isHidden).toList();
    }

    private boolean isHidden(ProcessEntry process) {
        try {
            Path line = Path.of("/proc", "" + process.pid(), "cmdline");
            return Files.readString(line, StandardCharsets.ISO_8859_1).equals("sleep\0" + seconds + "\0");
        } catch (IOException gone) {
            return false;
        }
    }

    @AfterEach
    void leaveNobody() {
        hidden().forEach(ProcessEntry::kill);
    }

    /** The wrapper's clock stands still, so the wrapper never takes over: what is gone has been ended by the supervisor. */
    @Test
    void whatHasNeitherMarkNorGroupIsGoneToo() throws Exception {
        Supervisor supervisor = launch(RawCommand.of("sh", "-c", script), events::add);
        vouch(supervisor);
        Await.until("the tree", () -> hidden().size() == MANY);
        stoodStillAt.set(System.nanoTime());

        try {
            CompletableFuture<Void> closed = CompletableFuture.runAsync(supervisor::close);
            Await.until("the end of all by the supervisor", closed::isDone);
        } finally {
            stoodStillAt.set(0);
        }

        assertThat(hidden()).isEmpty();
        assertThat(events).noneMatch(event -> event instanceof SupervisorEvent.Gone);
    }

    @Test
    void whatHasNeitherMarkNorGroupIsGoneWhereTheListenerThrows() throws Exception {
        Supervisor supervisor = launch(RawCommand.of("sh", "-c", "trap 'kill -9 $$' TERM; " + script), event -> {
            events.add(event);
            if (event instanceof SupervisorEvent.Stopped) {
                throw new IllegalStateException("a listener's own fault, meant by this test");
            }
        });
        vouch(supervisor);
        Await.until("the tree", () -> hidden().size() == MANY);

        Await.until("the end of all", () -> {
            supervisor.signal(19); // until the shell is met at a moment at which it can be told to have stopped
            Await.pass(Duration.ofMillis(20));
            supervisor.signal(18);
            return events.stream().anyMatch(event -> event instanceof SupervisorEvent.Died);
        });

        assertThat(hidden()).isEmpty();
        assertThat(events).last().isEqualTo(new SupervisorEvent.Died(false));
    }

    @Test
    @Tag("realtime")
    void aFrozenSupervisorThatStartedNothingKeepsNobodyForEver() throws Exception {
        List<ProcessEntry> before = new ProcessEntry(ProcessHandle.current().pid()).children();
        Supervisor supervisor = launch(RawCommand.of("true"), events::add);
        List<ProcessEntry> launched = freezeAllBut(before);
        long begun = System.nanoTime();

        supervisor.close();

        assertTakenOver(begun);
        Await.until("its end", () -> launched.stream().noneMatch(ProcessEntry::isAlive));
        assertThat(events).isEmpty();
    }

    /** A frozen supervisor is taken over five seconds after the connection was closed, and no sooner. */
    @Test
    @Tag("realtime")
    void anInterruptDoesNotEndTheWaitOfAClose() throws Exception {
        List<ProcessEntry> before = new ProcessEntry(ProcessHandle.current().pid()).children();
        Supervisor supervisor = launch(RawCommand.of("true"), events::add);
        List<ProcessEntry> launched = freezeAllBut(before);
        long begun = System.nanoTime();

        Thread.currentThread().interrupt();
        supervisor.close();

        assertThat(Thread.interrupted()).isTrue();
        assertTakenOver(begun);
        Await.until("its end", () -> launched.stream().noneMatch(ProcessEntry::isAlive));
    }

    /** Five seconds after the close, and far less than twice as long. */
    private static void assertTakenOver(long closedAt) {
        assertThat(Duration.ofNanos(System.nanoTime() - closedAt))
                .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
    }

    private static List<ProcessEntry> freezeAllBut(List<ProcessEntry> before) throws Exception {
        List<ProcessEntry> launched =
                new ArrayList<>(new ProcessEntry(ProcessHandle.current().pid()).children());
        launched.removeAll(before);
        for (ProcessEntry frozen : launched) {
            WrapperProcess.signal(frozen, "STOP");
        }
        return launched;
    }
}
