package dev.incumbent.coordinator.tck;

import java.util.List;
import java.util.function.Supplier;

/** A coordinator that keeps the whole contract but one sentence: which it breaks, and the tests that must refuse it. */
record Twin(String lie, Supplier<MemoryRig.Dress> dress, List<String> refusedBy) {
    static Twin of(String lie, Supplier<MemoryRig.Dress> dress, String... refusedBy) {
        return new Twin(lie, dress, List.of(refusedBy));
    }

    @Override
    public String toString() {
        return lie;
    }
}
