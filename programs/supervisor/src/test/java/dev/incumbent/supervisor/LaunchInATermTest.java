package dev.incumbent.supervisor;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Supervisors that are launched in the middle of a lease, beside others and behind the one that has the terminal. */
final class LaunchInATermTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(1);

    @TempDir
    private Path folder;

    private final List<SupervisorEvent> events = new CopyOnWriteArrayList<>();
    private final BootOffset offset = new BootOffset();

    private Supervisor launch(boolean inBackground, String... command) throws SupervisorUnavailableException {
        var spec = new LaunchSpec(
                        TestFolder.binary(), RawCommand.of(command), Map.of(), SignalRelay.TERM, Inherited.NOTHING)
                .inBackground(inBackground);
        return Supervisor.launch(spec, System::nanoTime, offset, events::add);
    }

    @Test
    void whatOneHasTaughtOfTheClocksVouchesForTheNext() throws Exception {
        launch(true, "true").close();
        long sentAt = System.nanoTime();

        try (Supervisor next = launch(false, "true")) {
            assertThat(next.lease(sentAt, sentAt + LONG, sentAt + LONG)).isTrue();
            next.start();

            Await.until("its end", () -> events.contains(new SupervisorEvent.Gone(SupervisorEvent.Cause.SELF)));
            assertThat(events).contains(new SupervisorEvent.Exited(0));
        }
    }

    @Test
    void aSuspendBeforeTheStartMakesItWaitForTheNextRenewal() throws Exception {
        long aMinute = TimeUnit.MINUTES.toNanos(1);
        offset.note(System.nanoTime(), System.nanoTime() - aMinute); // as it was before the machine slept for a minute
        long sentAt = System.nanoTime();

        try (Supervisor next = launch(false, "true")) {
            assertThat(next.lease(sentAt, sentAt + LONG, sentAt + LONG)).isFalse();

            long renewedAt = System.nanoTime();
            assertThat(next.lease(renewedAt, renewedAt + LONG, renewedAt + LONG))
                    .isTrue();
        }
    }

    @Test
    void oneInTheBackgroundReadsNothing() throws Exception {
        Path read = folder.resolve("read");
        launch(true, "true").close();
        try (Supervisor background = launch(true, "sh", "-c", "cat > \"$0\"; echo end >> \"$0\"", read.toString())) {
            long now = System.nanoTime();
            background.lease(now, now + LONG, now + LONG);
            background.start();

            Await.until("its end", () -> events.contains(new SupervisorEvent.Exited(0)));
            assertThat(Files.readString(read)).isEqualTo("end\n");
        }
    }
}
