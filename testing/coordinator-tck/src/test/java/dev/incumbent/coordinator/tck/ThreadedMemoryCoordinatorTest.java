package dev.incumbent.coordinator.tck;

class ThreadedMemoryCoordinatorTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig() {
        return new ThreadedMemoryRig();
    }
}
