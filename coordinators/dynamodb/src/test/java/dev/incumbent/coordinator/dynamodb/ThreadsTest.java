package dev.incumbent.coordinator.dynamodb;

import static dev.incumbent.coordinator.dynamodb.OpeningTest.join;
import static org.assertj.core.api.Assertions.assertThat;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.CoordinatorProvider.Mode;
import dev.incumbent.coordinator.Watcher;
import dev.incumbent.coordinator.tck.Cut;
import dev.incumbent.model.CandidateId;
import dev.incumbent.model.ElectionName;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.ObservedRecord;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How many threads a client has while all that it sends is not answered. */
@Tag("realtime")
class ThreadsTest {
    private static final ElectionName BILLING = new ElectionName("billing");
    private static final int MOST = 10;
    private static final int LANES = 8;

    /** Threads are in the group of those that began them. Other tests run at the same time. */
    private final ThreadGroup group = new ThreadGroup("threads-test");

    @Test
    void aClientHasTenThreadsAtMost() {
        CompletableFuture<List<String>> most = new CompletableFuture<>();
        Thread test = new Thread(group, () -> {
            try (DynamoDbRig rig = new DynamoDbRig(SharedServer.get(), Duration.ofSeconds(10))) {
                most.complete(busy(rig));
            } catch (RuntimeException failed) {
                most.completeExceptionally(failed);
            }
        });
        test.start();

        assertThat(most.join()).hasSizeBetween(LANES, MOST);
    }

    /** The names of the threads of a client to whose questions nobody answers. */
    private List<String> busy(DynamoDbRig rig) {
        Set<Thread> before = ofClients();
        Coordinator client = rig.connect(Mode.CREATE);
        LeaseId lease = join(client.grant(new CandidateId("ada"), Duration.ofMinutes(1)))
                .id();

        rig.cut(client, Cut.SILENT);
        client.watch(BILLING, new Deaf());
        CompletionStage<Void> keptAlive = client.keepAlive(lease);
        for (int i = 0; i < 20; i++) {
            CompletionStage<?> unused = client.read(Set.of(BILLING));
        }
        CompletableFuture<?> end = keptAlive.toCompletableFuture().handle((done, late) -> late);

        List<String> most = List.of();
        while (!end.isDone() || most.size() < LANES) {
            List<String> now = since(before);
            most = now.size() > most.size() ? now : most;
            Thread.onSpinWait();
        }
        return most;
    }

    private List<String> since(Set<Thread> before) {
        return ofClients().stream()
                .filter(thread -> !before.contains(thread))
                .map(Thread::getName)
                .toList();
    }

    /** Not those of wires and of this test. */
    private Set<Thread> ofClients() {
        Thread[] all = new Thread[1_000];
        return Arrays.stream(all, 0, group.enumerate(all))
                .filter(thread -> thread.getName().matches("(incumbent-dynamodb|sdk|aws|idle-connection).*"))
                .collect(Collectors.toSet());
    }

    /** Hears nothing. */
    private static final class Deaf implements Watcher {
        @Override
        public void changed(ObservedRecord record) {}

        @Override
        public void gap() {}

        @Override
        public void currentAsOf(long sentAtNanos) {}
    }
}
