package dev.incumbent.examples;

import dev.incumbent.Elections;
import dev.incumbent.Leadership;
import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.sqlite.SqliteCoordinatorProvider;
import dev.incumbent.fence.Sink;
import dev.incumbent.fence.sql.SqlSinkProvider;
import dev.incumbent.model.Timing;
import dev.incumbent.time.SystemTimeline;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** What the examples stand on: a coordinator in a SQLite file, a fenced SQLite file beside it, and candidates; closed in reverse order. */
final class Office implements AutoCloseable {
    static final Timing TIMING = Timing.ofLease(Duration.ofSeconds(3));

    final Path ledger;
    final BlockingQueue<Leadership> begun = new LinkedBlockingQueue<>();
    private final Path coordinator;
    private final SystemTimeline time = new SystemTimeline();
    private final Deque<Runnable> opened = new ArrayDeque<>();

    Office(Path folder) {
        ledger = folder.resolve("ledger.db");
        coordinator = folder.resolve("coordinator.db");
        new SqlSinkProvider().install("sqlite:" + ledger);
    }

    /** The coordinator's URI. */
    String uri() {
        return "file:" + coordinator;
    }

    private Coordinator coordinator() {
        Coordinator open = new SqliteCoordinatorProvider().open(uri(), time, TIMING.requestTimeout(), Mode.CREATE);
        opened.push(open::close);
        return open;
    }

    Sink sink() {
        Sink open = new SqlSinkProvider().open("sqlite:" + ledger, TIMING.requestTimeout());
        opened.push(open::close);
        return open;
    }

    Elections elections(String candidate) {
        Elections open =
                Elections.over(coordinator()).name(candidate).timing(TIMING).open();
        opened.push(open::close);
        return open;
    }

    /** A task that leads and does nothing. */
    void leadUntilInterrupted(Leadership leadership) throws InterruptedException {
        begun.add(leadership);
        new CountDownLatch(1).await();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
        time.close();
    }
}
