package dev.incumbent.coordinator.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorException;
import dev.incumbent.coordinator.Reading;
import dev.incumbent.coordinator.Swap;
import dev.incumbent.model.LeaderRecord;
import dev.incumbent.model.ObservedRecord;
import dev.incumbent.model.Revision;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Histories: what several clients were told at once is true of one record. */
abstract class HistoryContract extends Section {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = 40;

    private final AtomicLong clock = new AtomicLong();

    @Test
    final void whatClientsAreToldAtOnceIsLinearizable() throws Exception {
        List<Operation> history = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<List<Operation>>> parts = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Coordinator client = rig.connect();
                parts.add(threads.submit(() -> readAndSwap(client)));
            }
            for (Future<List<Operation>> part : parts) {
                history.addAll(part.get());
            }
        } finally {
            threads.shutdownNow();
        }

        assertThat(history.stream().filter(it -> it.told() instanceof Operation.Accepted))
                .isNotEmpty();
        assertThat(Linearizability.holds(history, Revision.ABSENT)).isTrue();
    }

    private List<Operation> readAndSwap(Coordinator client) {
        List<Operation> done = new ArrayList<>();
        for (int round = 1; round <= ROUNDS; round++) {
            long from = clock.incrementAndGet();
            Reading reading = scene.reading(client, election);
            ObservedRecord found = reading instanceof Reading.Found it ? it.record() : ObservedRecord.ABSENT;
            done.add(new Operation(from, clock.incrementAndGet(), new Operation.Read(state(found))));
            done.add(swap(client, found, scene.vacant(round)));
        }
        return done;
    }

    private Operation swap(Coordinator client, ObservedRecord found, LeaderRecord next) {
        Revision written = new Revision(next.nonce());
        long from = clock.incrementAndGet();
        try {
            Swap swap = scene.get(client.swap(election, found.revision(), next));
            Operation.Told told = swap instanceof Swap.Refused refused
                    ? new Operation.Refused(state(found), refused.current().map(HistoryContract::state))
                    : new Operation.Accepted(state(found), written);
            return new Operation(from, clock.incrementAndGet(), told);
        } catch (CoordinatorException unanswered) {
            return unanswered.mayHaveApplied()
                    ? new Operation(from, Operation.NEVER, new Operation.Uncertain(state(found), written))
                    : new Operation(from, Operation.NEVER, new Operation.Nothing());
        }
    }

    /** A record's state in the history: its nonce, which both its writer and its readers know. */
    private static Revision state(ObservedRecord found) {
        return new Revision(found.record().nonce());
    }
}
