package dev.incumbent.cli.clock;

import dev.incumbent.cli.frame.Surroundings;
import dev.incumbent.time.PauseDetector;
import dev.incumbent.time.PauseListener;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Writes down the pauses that this process meets, for {@code doctor}. One that cannot be written down is passed over: it disturbs no run. */
public final class PauseRecorder implements PauseListener {
    /** Shorter ones endanger no lease. */
    private static final Duration SHORTEST = Duration.ofMillis(500);

    private final Surroundings around;
    private final PauseLog log;

    private PauseRecorder(Surroundings around, PauseLog log) {
        this.around = around;
        this.log = log;
    }

    /** Listens until that is closed; nothing where there is no place to write to. */
    public static Optional<PauseDetector> listen(Surroundings around) {
        return PauseLog.of(around).map(log -> PauseDetector.listen(around.timeline(), new PauseRecorder(around, log)));
    }

    @Override
    public void paused(Duration length) {
        writeDown(length, "paused");
    }

    @Override
    public void suspended(Duration length) {
        writeDown(length, "suspended");
    }

    @Override
    public void wallStepped(Duration by) {
        // It ends no lease here.
    }

    /** On a thread of its own: whoever tells of it keeps the time of all. */
    private void writeDown(Duration length, String what) {
        if (length.compareTo(SHORTEST) < 0) {
            return;
        }
        PauseLog.Pause pause = new PauseLog.Pause(around.now(), length, what);
        Thread writer = new Thread(
                () -> {
                    try {
                        log.add(pause);
                    } catch (IOException unwritten) {
                        // A full disk, or no right to write here.
                    }
                },
                "incumbent-pauses");
        writer.setDaemon(true);
        writer.start();
    }
}
