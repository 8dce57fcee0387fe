package dev.incumbent.coordinator.tck;

/** The contract, run by {@link TwinsTest} on one twin after the other. */
class DressedContract extends CoordinatorContract {
    static final ThreadLocal<MemoryRig.Dress> DRESS = new ThreadLocal<>();

    @Override
    protected CoordinatorRig openRig(Pace pace) {
        return new MemoryRig(DRESS.get());
    }
}
