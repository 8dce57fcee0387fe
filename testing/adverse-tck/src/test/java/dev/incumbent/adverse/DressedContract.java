package dev.incumbent.adverse;

import dev.incumbent.coordinator.Coordinator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** The contract on the store in memory with clients that lie; run by {@link BrokenStoreTest} alone. */
final class DressedContract extends AdverseContract {
    static final AtomicReference<UnaryOperator<Coordinator>> DRESS = new AtomicReference<>(UnaryOperator.identity());

    @Override
    protected AdverseRig openRig() {
        return new MemoryAdverseRig(Optional.ofNullable(DRESS.get()).orElseThrow());
    }
}
