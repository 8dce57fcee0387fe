package dev.incumbent.fence.sql;

import dev.incumbent.fence.tck.FenceContract;
import dev.incumbent.fence.tck.FenceRig;
import dev.incumbent.fence.tck.Writer;
import org.junit.jupiter.api.Tag;

/** The contract, where the writers are another process than the raisers; what is cut off dies by {@code kill -9}. */
@Tag("trial")
class SqliteAcrossProcessesFenceTest extends FenceContract {
    @Override
    protected FenceRig rig() {
        return new AcrossProcesses();
    }

    private static final class AcrossProcesses extends SqliteRig {
        private RemoteWriters process;

        AcrossProcesses() {
            super("WAL");
            process = new RemoteWriters(ledger());
        }

        @Override
        public Writer begin() {
            return new RemoteWriter(process);
        }

        @Override
        public void restart() {
            process.kill();
            process = new RemoteWriters(ledger());
        }

        @Override
        public void close() {
            process.kill();
            super.close();
        }
    }
}
