package dev.incumbent.coordinator.tck;

import org.junit.jupiter.api.Tag;

/** Also what waits for leases: its time is virtual. */
@Tag("virtual")
class MemoryCoordinatorTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new MemoryRig();
    }
}
