package dev.incumbent.coordinator.tck;

import org.junit.jupiter.api.Nested;

/**
 * The contract of every coordinator: an adapter's test extends this and opens a rig. The tests are final, so that what a store cannot
 * do is declared by its rig and its capabilities, and never overridden.
 */
public abstract class CoordinatorContract {
    /** For tests of adapters. */
    protected CoordinatorContract() {}

    /** A new store with its wires and its time; called once for each test, which closes it. A rig in virtual time needs no pace. */
    protected abstract CoordinatorRig openRig(Pace pace) throws Exception;

    @Nested
    final class Leases extends LeaseContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Records extends RecordContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Candidates extends CandidateContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Watches extends WatchContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Dates extends DateContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Outcomes extends OutcomeContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Closing extends ClosingContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Histories extends HistoryContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Recoveries extends RecoveryContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Repetitions extends RepetitionContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }

    @Nested
    final class Deadlines extends DeadlineContract {
        @Override
        CoordinatorRig openRig(Pace pace) throws Exception {
            return CoordinatorContract.this.openRig(pace);
        }
    }
}
