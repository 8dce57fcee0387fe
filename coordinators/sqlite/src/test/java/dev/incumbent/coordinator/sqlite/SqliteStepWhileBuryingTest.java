package dev.incumbent.coordinator.sqlite;

import static dev.incumbent.coordinator.tck.Asking.ELECTION;
import static dev.incumbent.coordinator.tck.Asking.claim;
import static dev.incumbent.coordinator.tck.Asking.enlisted;
import static dev.incumbent.coordinator.tck.Asking.found;
import static dev.incumbent.coordinator.tck.Asking.get;
import static dev.incumbent.coordinator.tck.Asking.granted;
import static dev.incumbent.coordinator.tck.Asking.swapped;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.LeaseLostException;
import dev.incumbent.model.LeaseId;
import dev.incumbent.model.Revision;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The clock steps back while whoever found a lease over waits for the file's lock, to bury it: it looks again once it has the lock. */
@Tag("patient")
final class SqliteStepWhileBuryingTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private SqliteRig rig;
    private Coordinator client;
    private LeaseId lease;

    @BeforeEach
    void lead() throws Exception {
        open();
        lease = granted(client, Duration.ofMinutes(1)).id();
        swapped(client, Revision.ABSENT, claim(lease));
        get(client.enlist(ELECTION, enlisted(lease)));
    }

    private void open() throws IOException {
        rig = new SqliteRig(Duration.ofSeconds(15));
        client = rig.connect();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void aLeaseThatAReadFoundOverIsAlive() throws Exception {
        steppedBackMeanwhile(() -> client.read(Set.of(ELECTION)));

        assertThat(found(client).leaseAlive()).isTrue();
        get(client.keepAlive(lease));
    }

    @Test
    void aLeaseThatAListFoundOverIsAlive() throws Exception {
        steppedBackMeanwhile(() -> client.candidates(Set.of(ELECTION)));

        assertThat(get(client.candidates(Set.of(ELECTION))).get(ELECTION)).hasSize(1);
        get(client.keepAlive(lease));
    }

    @Test
    void aKeepAliveIsAnswered() throws Exception {
        Throwable told = steppedBackMeanwhile(() -> client.keepAlive(lease));

        assertThat(told instanceof LeaseLostException).isFalse();
        get(client.keepAlive(lease));
    }

    /** Answers how the call failed; it may also have given up its wait for the file, on a crowded machine. */
    private Throwable steppedBackMeanwhile(Supplier<CompletionStage<?>> call) throws Exception {
        try (Connection locking = DriverManager.getConnection("jdbc:sqlite:" + rig.file());
                Statement statement = locking.createStatement()) {
            statement.execute("begin immediate");
            rig.stepStoreClock(HOUR);
            CompletableFuture<?> called = call.get().toCompletableFuture();
            assertThatThrownBy(() -> called.get(100, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            rig.stepStoreClock(HOUR.negated());
            statement.execute("rollback");
            return get(called.handle((answer, failed) -> failed));
        }
    }
}
