package dev.incumbent.coordinator.sqlite;

import dev.incumbent.coordinator.Coordinator;
import dev.incumbent.coordinator.tck.CoordinatorContract;
import dev.incumbent.coordinator.tck.CoordinatorRig;
import dev.incumbent.coordinator.tck.Pace;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;

/** SQLite holds the contract between a client of this process and one of another. */
@Tag("trial")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SqliteProcessContractTest extends CoordinatorContract {
    private final ClientProcess process;

    SqliteProcessContractTest() throws IOException {
        process = new ClientProcess();
    }

    @AfterAll
    void endProcess() {
        process.close();
    }

    @Override
    protected CoordinatorRig openRig(Pace pace) throws IOException {
        return new TwoProcesses(pace.requestTimeout(SqliteRig.REQUEST_TIMEOUT));
    }

    /** Every second client is the other process's. */
    private final class TwoProcesses extends SqliteRig {
        private int connected;

        TwoProcesses(Duration requestTimeout) throws IOException {
            super(requestTimeout);
        }

        @Override
        public Coordinator connect() {
            connected++;
            return connected % 2 == 1 ? super.connect() : remembered(process.open(file(), requestTimeout()));
        }

        @Override
        public void stepStoreClock(Duration by) {
            super.stepStoreClock(by);
            process.stepClock(by);
        }

        @Override
        public void close() {
            super.close();
            process.resetClock();
        }
    }
}
