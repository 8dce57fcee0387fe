package dev.incumbent.coordinator.tck;

class MemoryCoordinatorTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new MemoryRig();
    }
}
