package dev.incumbent.coordinator.tck;

class ThreadedMemoryCoordinatorTest extends CoordinatorContract {
    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new ThreadedMemoryRig(pace);
    }
}
