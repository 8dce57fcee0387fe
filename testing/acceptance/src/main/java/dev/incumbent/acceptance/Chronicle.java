package dev.incumbent.acceptance;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.Revision;
import dev.incumbent.time.SystemTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/** One writer, alone, that swaps one number after another into a record of its own, and holds every acknowledged number against what is there later. */
final class Chronicle implements AutoCloseable {
    private static final Duration BETWEEN_WRITES = Duration.ofMillis(20);

    private final Coordinator client;
    private final ElectionName election;
    private final Thread thread = new Thread(this::run, "chronicle");
    private final AtomicLong acknowledged;
    private final List<String> lost = new ArrayList<>();
    private Revision current = Revision.ABSENT;
    private long number;
    private volatile boolean over;
    private volatile boolean isKilled;

    /** Goes on after that number, which was acknowledged, if any was. */
    Chronicle(Coordinator client, ElectionName election, long after) {
        this.client = client;
        this.election = election;
        this.acknowledged = new AtomicLong(after);
        this.number = after;
        thread.setDaemon(true);
        thread.start();
    }

    /** The last number that was acknowledged. */
    long acknowledged() {
        return acknowledged.get();
    }

    private void run() {
        try {
            resume();
            while (!over) {
                write();
                SystemTimeline.sleep(BETWEEN_WRITES);
            }
            if (!isKilled) {
                resume();
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    private void write() throws InterruptedException {
        LeaderRecord next = LeaderRecord.EMPTY
                .vacated(++number, Instant.EPOCH)
                .written(UUID.randomUUID().toString());
        try {
            Swap swap = joined(client.swap(election, current, next));
            if (swap instanceof Swap.Accepted accepted) {
                current = accepted.revision();
                acknowledged.set(number);
                return;
            }
        } catch (CoordinatorException uncertainOrNot) {
            // What became of it is read.
        }
        resume();
    }

    /** From what is there, as soon as that can be read. */
    private void resume() throws InterruptedException {
        for (Optional<Reading> reading = read(); ; reading = read()) {
            if (reading.isPresent() && reading.get() instanceof Reading.Found found) {
                current = found.record().revision();
                notice(found.record().record().term());
                return;
            }
            if (reading.isPresent() && reading.get() instanceof Reading.Absent) {
                current = Revision.ABSENT;
                notice(0);
                return;
            }
            if (over) {
                return;
            }
            SystemTimeline.sleep(BETWEEN_WRITES);
        }
    }

    private synchronized void notice(long found) {
        if (found < acknowledged.get()) {
            lost.add("number " + acknowledged + " was acknowledged, and " + found + " is there");
        }
        number = Math.max(number, found);
    }

    private Optional<Reading> read() {
        try {
            return Optional.ofNullable(joined(client.read(Set.of(election))).get(election));
        } catch (CoordinatorException notNow) {
            return Optional.empty();
        }
    }

    private static <T> T joined(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof CoordinatorException known ? known : e;
        }
    }

    /** Numbers that were acknowledged and are not there. */
    synchronized List<String> lost() {
        return List.copyOf(lost);
    }

    /** Ends where it is, as a process that is killed. */
    void end() {
        isKilled = true;
        close();
    }

    /** Reads once more at the end. */
    @Override
    public void close() {
        over = true;
        try {
            thread.join(Duration.ofSeconds(20).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        client.close();
    }
}
